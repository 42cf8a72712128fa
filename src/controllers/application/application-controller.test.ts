import { expect, it } from 'vitest';
import { createLogger } from '../../base/index.ts';
import type { ObjectChange, WorkResult } from '../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import type { SettingsChanged } from '../../settings/index.ts';
import { ManualTimers, settle } from '../../../test/support/manual-timers.ts';
import { createApplicationController, type ApplicationControllerOptions } from './application-controller.ts';
import type { ApplicationMemory } from './application-memory.ts';

const web: KubeObject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { namespace: 'argocd', name: 'web', uid: '1', generation: 1 },
  spec: { project: 'default', destination: {} },
};

it('remembers nothing of an application that is gone, also where a look at it was still to come', async () => {
  const timers = new ManualTimers();
  const memories: ApplicationMemory[] = [];
  let stored: KubeObject | undefined = web;
  let tell: (change: ObjectChange) => void = () => undefined;
  const nothing = () => () => undefined;
  const options = {
    applications: {
      get: () => stored,
      values: () => (stored === undefined ? [] : [stored]),
      subscribe: (listener: typeof tell) => {
        tell = listener;
        return () => undefined;
      },
    },
    projects: { subscribe: nothing },
    clusters: { onChange: nothing, list: () => [] },
    settings: { onChange: nothing, current: { parameters: { statusProcessors: 1 } } },
    timers,
    clock: timers,
    log: createLogger({ level: 'error', format: 'text', write: () => undefined }),
    reconcile: (_context: unknown, _ref: unknown, memory: ApplicationMemory): Promise<WorkResult> => {
      memories.push(memory);
      return Promise.resolve({ requeueAfterMs: 1_000 });
    },
  };
  const controller = createApplicationController(options as unknown as ApplicationControllerOptions);
  controller.start();
  await timers.advance(1_000);
  expect(memories).toHaveLength(2);
  expect(memories[1]).toBe(memories[0]);
  stored = undefined;
  tell({ type: 'removed', object: web, previous: web });
  await timers.advance(1_000);
  expect(memories).toHaveLength(3);
  stored = web;
  tell({ type: 'added', object: web, previous: undefined });
  await settle();
  expect(memories).toHaveLength(4);
  expect(memories[3]).not.toBe(memories[2]);
  await controller.stop();
});

it('looks at applications anew where the Secret of a cluster says something new, and not for the version that we write there', async () => {
  const timers = new ManualTimers();
  let looks = 0;
  let tellSettings: (event: SettingsChanged) => void = () => undefined;
  let tellClusters: () => void = () => undefined;
  const nothing = () => () => undefined;
  const options = {
    applications: { get: () => web, values: () => [web], subscribe: nothing },
    projects: { subscribe: nothing },
    clusters: {
      onChange: (listener: typeof tellClusters) => {
        tellClusters = listener;
        return () => undefined;
      },
      list: () => [],
    },
    settings: {
      onChange: (listener: typeof tellSettings) => {
        tellSettings = listener;
        return () => undefined;
      },
      current: { parameters: { statusProcessors: 1 } },
    },
    timers,
    clock: timers,
    log: createLogger({ level: 'error', format: 'text', write: () => undefined }),
    reconcile: (): Promise<WorkResult> => {
      looks += 1;
      return Promise.resolve('done');
    },
  };
  const controller = createApplicationController(options as unknown as ApplicationControllerOptions);
  controller.start();
  await timers.advance(1_000);
  expect(looks).toBe(1);
  const secret = (labels: Readonly<Record<string, string>>) =>
    new Map([['home', { type: 'cluster', labels, annotations: {}, data: new Map() }]]);
  const change = async (before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): Promise<void> => {
    tellClusters();
    tellSettings({
      previous: { labelledSecrets: secret(before) },
      current: { labelledSecrets: secret(now) },
      changes: [{ part: 'labelledSecrets', name: 'home' }],
    } as unknown as SettingsChanged);
    await timers.advance(1_000);
  };
  await change({}, { 'argocd.argoproj.io/kubernetes-version': 'v1.36.0' });
  expect(looks).toBe(1);
  await change({}, { env: 'prod' });
  expect(looks).toBe(2);
  await controller.stop();
});

it('gives the applications of a silent cluster no more room for being written in several ways (K8S-03)', async () => {
  const timers = new ManualTimers();
  const nothing = () => () => undefined;
  const spellings = [{ name: 'slow' }, { server: 'https://slow' }, { server: 'https://slow/' }, { server: 'https://slow//' }];
  const named = (name: string, destination: JsonObject): KubeObject => ({
    ...web,
    metadata: { ...web.metadata, name },
    spec: { destination },
  });
  const slow = spellings.map((destination, index) => named(`slow-${index}`, destination));
  const stored = new Map([...slow, named('quick', { name: 'quick' })].map((object) => [object.metadata.name ?? '', object]));
  const begun: string[] = [];
  const options = {
    applications: { get: ({ name }: { name: string }) => stored.get(name), values: () => stored.values(), subscribe: nothing },
    projects: { subscribe: nothing },
    clusters: {
      onChange: nothing,
      list: () => [],
      resolve: ({ name }: { name?: string }) => ({ server: name === 'quick' ? 'https://quick' : 'https://slow' }),
    },
    settings: { onChange: nothing, current: { parameters: { statusProcessors: 2 } } },
    timers,
    clock: timers,
    log: createLogger({ level: 'error', format: 'text', write: () => undefined }),
    reconcile: (_context: unknown, { name }: { name: string }, _memory: unknown, signal: AbortSignal): Promise<WorkResult> => {
      begun.push(name);
      if (name === 'quick') return Promise.resolve('done');
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('done')));
    },
  };
  const controller = createApplicationController(options as unknown as ApplicationControllerOptions);
  controller.start();
  await settle();
  expect(begun).toEqual(['slow-0', 'quick']);
  const lost = new AbortController();
  lost.abort();
  await controller.stop(lost.signal);
});
