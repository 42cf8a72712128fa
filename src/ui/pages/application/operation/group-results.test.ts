import { expect, it } from 'vitest';
import type { Application } from '../../../../contract/gen/types.ts';
import { groupResults, stateOf, waitsFor } from './group-results.ts';

function result(kind: string, name: string, more: object = {}) {
  return { group: '', version: 'v1', kind, namespace: 'shop', name, ...more };
}

const application = {
  metadata: { name: 'shop' },
  spec: { project: 'default', destination: {} },
  status: {
    resources: [
      { kind: 'ConfigMap', namespace: 'shop', name: 'late', syncWave: 2 },
      { kind: 'ConfigMap', namespace: 'shop', name: 'first' },
    ],
    operationState: {
      operation: {},
      phase: 'Running',
      startedAt: null,
      syncResult: {
        revision: 'a',
        resources: [
          result('ConfigMap', 'late', { syncPhase: 'Sync', hookPhase: 'Running' }),
          result('ConfigMap', 'first', { syncPhase: 'Sync', hookPhase: 'Succeeded' }),
          result('Job', 'migrate', { syncPhase: 'PreSync', hookType: 'PreSync', hookPhase: 'Running' }),
        ],
      },
    },
  },
} as unknown as Application;

it('puts results in the order in which they come about', () => {
  expect(groupResults(application).map(({ title, results }) => [title, results.map(({ name }) => name)])).toEqual([
    ['PreSync', ['migrate']],
    ['Sync, wave 0', ['first']],
    ['Sync, wave 2', ['late']],
  ]);
});

it('does not say of what was applied that it still runs, once the operation is over', () => {
  const applied = result('Deployment', 'web', { status: 'Synced', hookPhase: 'Running' });
  expect([stateOf(applied, false), stateOf(applied, true)]).toEqual(['Running', 'Synced']);
  const hook = result('Job', 'migrate', { hookType: 'PreSync', hookPhase: 'Running' });
  expect(stateOf(hook, true)).toBe('Running');
  expect(stateOf(result('Service', 'web'), false)).toBe('waiting');
});

it('names what an operation waits for', () => {
  expect(waitsFor(application)).toEqual(['ConfigMap late', 'the PreSync hook Job migrate']);
});
