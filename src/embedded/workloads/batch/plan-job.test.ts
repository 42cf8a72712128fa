import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../../objects/index.ts';
import { viewOf } from '../view.ts';
import type { View } from '../view.ts';
import { planJob } from './plan-job.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');

function pods(phases: readonly string[]): readonly View[] {
  return phases.map((phase, index) =>
    viewOf('Pod', { apiVersion: 'v1', kind: 'Pod', metadata: { name: `p${index}`, uid: `u${index}` }, status: { phase } } as KubeObject),
  );
}

function plan(spec: JsonObject, phases: readonly string[], status: JsonObject = { startTime: '2026-01-02T03:04:00Z' }) {
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j' },
    spec: { completions: 1, parallelism: 1, backoffLimit: 2, ...spec },
    status,
  };
  const { createCount, remove, status: next, wakeInMs } = planJob(viewOf('Job', job), pods(phases), NOW);
  const conditions = (next['conditions'] ?? []) as readonly JsonObject[];
  return {
    create: createCount,
    remove: remove.map(({ name }) => name),
    ends: conditions.map(({ type, reason }) => `${String(type)} ${String(reason)}`),
    wakeInMs,
  };
}

describe('the next step of a Job', () => {
  it.each<[string, JsonObject, readonly string[], Partial<ReturnType<typeof plan>>]>([
    ['begins', {}, [], { create: 1 }],
    ['runs as many as it may', { completions: 10, parallelism: 3 }, ['Running'], { create: 2 }],
    [
      'begins no more than are missing',
      { completions: 4, parallelism: 3 },
      ['Succeeded', 'Succeeded', 'Succeeded', 'Running'],
      { create: 0 },
    ],
    ['removes what is too many', { completions: 10, parallelism: 1 }, ['Running', 'Running'], { create: 0, remove: ['p1'] }],
    ['replaces what failed', {}, ['Failed', 'Failed'], { create: 1, ends: [] }],
    [
      'ends well',
      {},
      ['Failed', 'Succeeded'],
      { create: 0, ends: ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'] },
    ],
    [
      'ends badly',
      {},
      ['Failed', 'Failed', 'Failed'],
      { create: 0, ends: ['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded'] },
    ],
    [
      'ends late',
      { activeDeadlineSeconds: 5 },
      ['Running'],
      { remove: ['p0'], ends: ['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded'] },
    ],
    ['looks again at its deadline', { activeDeadlineSeconds: 8 }, ['Running'], { ends: [], wakeInMs: 3_000 }],
    ['stops while it is suspended', { suspend: true }, ['Running'], { create: 0, remove: ['p0'], ends: ['Suspended JobSuspended'] }],
  ])('%s', (_name, spec, phases, expected) => {
    expect(plan(spec, phases)).toMatchObject(expected);
  });

  it('ends where somebody has written down that it is to fail, also while it is suspended', () => {
    const status = { conditions: [{ type: 'FailureTarget', status: 'True', reason: 'ManuallyTerminated', message: 'by hand' }] };
    for (const suspend of [false, true]) {
      const { create, remove, ends } = plan({ suspend }, ['Running'], status);
      expect({ create, remove }).toEqual({ create: 0, remove: ['p0'] });
      expect(ends).toEqual(expect.arrayContaining(['FailureTarget ManuallyTerminated', 'Failed ManuallyTerminated']));
    }
  });

  it('of a queue ends when one has succeeded and none runs', () => {
    const queue = {
      kind: 'Job',
      apiVersion: 'batch/v1',
      metadata: { name: 'j' },
      spec: { parallelism: 2 },
      status: { startTime: '2026-01-02T03:04:00Z' },
    };
    const view = viewOf('Job', queue);
    expect(planJob(view, pods(['Succeeded', 'Running']), NOW)).toMatchObject({ createCount: 0, remove: [], status: { active: 1 } });
    expect(planJob(view, pods(['Succeeded', 'Succeeded']), NOW).status).toMatchObject({
      completionTime: '2026-01-02T03:04:05Z',
      succeeded: 2,
    });
  });

  it('finds the indexes that are missing among more than a list can hold', () => {
    const spec = { completionMode: 'Indexed', completions: 1_000_000_000, parallelism: 2_000 };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec, status: { completedIndexes: '0-2,5' } };
    const { createIndexes, createCount } = planJob(viewOf('Job', job), [], NOW);
    expect(createCount).toBe(500);
    expect(createIndexes.slice(0, 4)).toEqual([3, 4, 6, 7]);
    const one = { ...job, spec: { ...spec, parallelism: 1 } };
    expect(planJob(viewOf('Job', one), [], NOW).createIndexes).toEqual([3]);
  });

  it('counts pods that are gone', () => {
    expect(plan({ completions: 3 }, ['Succeeded'], { startTime: '2026-01-02T03:04:00Z', succeeded: 2 })).toMatchObject({
      create: 1,
      ends: [],
    });
  });
});
