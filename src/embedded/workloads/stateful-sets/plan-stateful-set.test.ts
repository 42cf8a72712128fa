import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../../objects/index.ts';
import { viewOf } from '../view.ts';
import type { View } from '../view.ts';
import { planStatefulSet } from './plan-stateful-set.ts';

type PodState = 'ready' | 'starting' | 'leaving' | 'failed';
type Pods = Readonly<Record<number, readonly [revision: string, state: PodState]>>;

function pod(ordinal: number, revision: string, state: PodState): View {
  const metadata = {
    name: `db-${ordinal}`,
    uid: `u${ordinal}`,
    labels: { 'controller-revision-hash': revision },
    ...(state === 'leaving' && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  };
  const isReady = state === 'ready' || state === 'leaving';
  const status = { phase: state === 'failed' ? 'Failed' : 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] };
  return viewOf('Pod', { apiVersion: 'v1', kind: 'Pod', metadata, status } as KubeObject);
}

function plan(spec: JsonObject, pods: Pods): { create: readonly string[]; remove: readonly string[]; status: JsonObject } {
  const object = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: { replicas: 3, ...spec },
    status: { currentRevision: 'one' },
  };
  const views = Object.entries(pods).map(([ordinal, [revision, state]]) => pod(Number(ordinal), revision, state));
  const result = planStatefulSet({ set: viewOf('StatefulSet', object), pods: views, updateRevision: 'two', nowMs: 0 });
  return {
    create: result.create.map(({ ordinal, revision }) => `${ordinal} ${revision}`),
    remove: result.remove.map(({ name }) => name),
    status: result.status,
  };
}

const all = (revision: string): Pods => ({ 0: [revision, 'ready'], 1: [revision, 'ready'], 2: [revision, 'ready'] });
const parted = (partition: number): JsonObject => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } });

describe('the next step of a StatefulSet', () => {
  it.each<[string, JsonObject, Pods, readonly string[], readonly string[]]>([
    ['begins with the first', {}, {}, ['0 two'], []],
    ['waits for one that starts', {}, { 0: ['two', 'starting'] }, [], []],
    ['goes on to the next', {}, { 0: ['two', 'ready'] }, ['1 two'], []],
    ['begins where it is told', { ordinals: { start: 5 } }, {}, ['5 two'], []],
    ['makes all at once where it may', { podManagementPolicy: 'Parallel' }, { 1: ['two', 'starting'] }, ['0 two', '2 two'], []],
    ['keeps the old revision below the partition', parted(2), {}, ['0 one'], []],
    ['replaces one that has ended', {}, { 0: ['two', 'failed'] }, [], ['db-0']],
    ['removes the last that is too many', { replicas: 1 }, all('two'), [], ['db-2']],
    ['waits until that one is gone', { replicas: 1 }, { ...all('two'), 2: ['two', 'leaving'] }, [], []],
    ['removes all at once where it may', { replicas: 1, podManagementPolicy: 'Parallel' }, all('two'), [], ['db-2', 'db-1']],
    ['updates the last first', {}, all('one'), [], ['db-2']],
    ['waits for the one that is updated', {}, { ...all('one'), 2: ['two', 'starting'] }, [], []],
    ['updates the one before', {}, { ...all('one'), 2: ['two', 'ready'] }, [], ['db-1']],
    ['stops at the partition', parted(2), { ...all('one'), 2: ['two', 'ready'] }, [], []],
    ['leaves updating to others', { updateStrategy: { type: 'OnDelete' } }, all('one'), [], []],
    ['mends by updating what does not start', {}, { 0: ['one', 'starting'], 1: ['one', 'ready'], 2: ['two', 'ready'] }, [], ['db-1']],
    ['rests', {}, all('two'), [], []],
  ])('%s', (_name, spec, pods, create, remove) => {
    expect(plan(spec, pods)).toMatchObject({ create, remove });
  });

  it('makes no more at once than a list can hold, however many are wanted', () => {
    const { create } = plan({ podManagementPolicy: 'Parallel', replicas: 2_000_000_000 }, { 1: ['two', 'ready'] });
    expect(create).toHaveLength(500);
    expect([create[0], create[1], create.at(-1)]).toEqual(['0 two', '2 two', '500 two']);
  });

  it('finds its pods however high they are counted', () => {
    expect(plan({ ordinals: { start: 2_000_000_000 }, replicas: 1 }, { 2_000_000_000: ['two', 'ready'] })).toMatchObject({
      create: [],
      remove: [],
      status: { replicas: 1 },
    });
  });

  it('makes the new revision the current one when all have it and are ready', () => {
    expect(plan({}, all('two')).status).toMatchObject({ currentRevision: 'two', currentReplicas: 3, updatedReplicas: 3 });
    expect(plan({}, { ...all('one'), 2: ['two', 'ready'] }).status).toMatchObject({
      currentRevision: 'one',
      currentReplicas: 2,
      updatedReplicas: 1,
    });
  });
});
