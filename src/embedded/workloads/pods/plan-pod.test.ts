import { describe, expect, it } from 'vitest';
import { formatTime } from '../../../objects/index.ts';
import type { JsonObject, KubeObject, ObjectMeta } from '../../../objects/index.ts';
import type { Simulation } from '../simulation.ts';
import { viewOf } from '../view.ts';
import { planPod } from './plan-pod.ts';
import type { PodPlan } from './plan-pod.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const normal: Simulation = { behavior: 'normal', delayMs: 0 };

interface Case {
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly metadata?: ObjectMeta;
  readonly simulation?: Partial<Simulation>;
  readonly afterMs?: number;
}

function plan({ spec = {}, status = {}, metadata = {}, simulation = {}, afterMs = 0 }: Case): PodPlan {
  const full = { nodeName: 'node', containers: [{ name: 'main', image: 'web' }], ...spec };
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', uid: 'u', ...metadata },
    spec: full,
    status,
  } as unknown as KubeObject;
  const nowMs = NOW + afterMs;
  return planPod({
    pod: viewOf('Pod', object),
    simulation: { ...normal, ...simulation },
    nodeName: 'node',
    hostAddress: '198.51.100.1',
    takeAddress: () => '10.244.0.7',
    nowMs,
  });
}

/** Plans again and again, each time from the status that came of it before and at the time that it asked for. */
function play(input: Case, steps: number): readonly string[] {
  const seen: string[] = [];
  let [status, afterMs]: [JsonObject, number] = [{ startTime: formatTime(NOW) }, 0];
  for (let step = 0; step < steps; step += 1) {
    const next = plan({ ...input, status, afterMs });
    if (next.action !== 'status') return [...seen, next.action];
    ({ status } = next);
    const [container] = status['containerStatuses'] as readonly JsonObject[];
    const state = (container?.['state'] ?? {}) as Record<string, { reason?: string }>;
    const [[name, detail] = ['', undefined]] = Object.entries(state);
    seen.push(`${afterMs / 1_000}s ${String(status['phase'])} ${detail?.reason ?? name} ${String(container?.['restartCount'])}`);
    if (next.wakeMs === undefined) return seen;
    afterMs = next.wakeMs - NOW;
  }
  return seen;
}

describe('a pod', () => {
  it.each<[string, Case, string]>([
    ['is bound first', { spec: { nodeName: '' } }, 'bind'],
    ['waits for its gates', { spec: { nodeName: '', schedulingGates: [{ name: 'a' }] } }, 'rest'],
    ['belongs to its own node', { spec: { nodeName: 'other' } }, 'rest'],
    ['rests when it has ended', { status: { phase: 'Succeeded' } }, 'rest'],
    ['goes when it shall', { metadata: { deletionTimestamp: formatTime(NOW), deletionGracePeriodSeconds: 30 } }, 'remove'],
    ['waits for its finalizers', { metadata: { deletionTimestamp: formatTime(NOW), deletionGracePeriodSeconds: 0 } }, 'rest'],
    ['runs otherwise', {}, 'status'],
  ])('%s', (_name, input, action) => {
    expect(plan(input).action).toBe(action);
  });

  it.each<[string, Case, readonly string[]]>([
    ['runs at once', {}, ['0s Running running 0']],
    ['takes its time', { simulation: { delayMs: 5_000 } }, ['0s Pending ContainerCreating 0', '5s Running running 0']],
    ['hangs', { simulation: { behavior: 'hang' } }, ['0s Running running 0']],
    ['fails', { simulation: { behavior: 'fail' } }, ['0s Pending RunContainerError 0']],
    [
      'cannot be pulled',
      { spec: { containers: [{ name: 'main', image: 'registry.example/invalid:1' }] } },
      ['0s Pending ErrImagePull 0', '10s Pending ImagePullBackOff 0'],
    ],
    [
      'crashes again and again',
      { simulation: { behavior: 'crash-loop' } },
      [
        '0s Running running 0',
        '1s Running CrashLoopBackOff 0',
        '2s Running running 1',
        '3s Running CrashLoopBackOff 1',
        '5s Running running 2',
      ],
    ],
    ['ends', { spec: { restartPolicy: 'Never' } }, ['0s Running running 0', '1s Succeeded Completed 0']],
    ['ends badly', { spec: { restartPolicy: 'Never' }, simulation: { behavior: 'fail' } }, ['0s Running running 0', '1s Failed Error 0']],
    [
      'waits for those that come first',
      {
        spec: {
          initContainers: [
            { name: 'a', image: 'x', command: ['sleep', '2'] },
            { name: 'b', image: 'x', command: ['sleep', '3'] },
          ],
        },
      },
      ['0s Pending PodInitializing 0', '2s Pending PodInitializing 0', '5s Running running 0'],
    ],
    [
      'waits for ever for one that fails',
      { spec: { initContainers: [{ name: 'a', image: 'x', command: ['false'] }] } },
      ['0s Pending PodInitializing 0', '1s Pending PodInitializing 0'],
    ],
    ['is stopped when it takes too long', { spec: { activeDeadlineSeconds: 4 } }, ['0s Running running 0', '4s Failed running 0']],
  ])('%s', (_name, input, expected) => {
    expect(play(input, expected.length)).toEqual(expected);
  });

  it('changes nothing when it is planned again at rest', () => {
    const first = plan({});
    if (first.action !== 'status') throw new Error('it does not run');
    expect(plan({ status: first.status, afterMs: 60_000 })).toEqual(first);
  });

  it('says that it is ready, and of which container it is not', () => {
    const conditions = (input: Case): unknown => {
      const next = plan(input);
      return next.action === 'status' ? next.status['conditions'] : undefined;
    };
    expect(conditions({})).toMatchObject([
      { type: 'PodReadyToStartContainers', status: 'True' },
      { type: 'Initialized', status: 'True' },
      { type: 'Ready', status: 'True' },
      { type: 'ContainersReady', status: 'True' },
      { type: 'PodScheduled', status: 'True' },
    ]);
    expect(conditions({ simulation: { behavior: 'hang' } })).toMatchObject([
      { type: 'PodReadyToStartContainers' },
      { type: 'Initialized' },
      { type: 'Ready', status: 'False', reason: 'ContainersNotReady', message: 'containers with unready status: [main]' },
      { type: 'ContainersReady', status: 'False' },
      { type: 'PodScheduled' },
    ]);
  });
});
