import { expect, it } from 'vitest';
import type { ResourceResult } from '../../model/index.ts';
import type { SyncTask } from './sync-task.ts';
import { recordOutcomes } from './task-results.ts';

function task(name: string, phase: SyncTask['phase'] = 'Sync'): SyncTask {
  const key = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'ns', name };
  return { ...key, phase, wave: 0, desired: undefined, live: undefined, isHook: false, modified: true };
}

it('A result takes the place of the one before, and what is new comes last', () => {
  const first = recordOutcomes(
    [],
    [
      { task: task('a'), status: 'Synced', message: 'a created' },
      { task: task('b'), status: 'Synced', message: 'b created' },
    ],
  );
  const second = recordOutcomes(first, [
    { task: task('c'), status: 'Pruned', message: 'pruned' },
    { task: task('a'), status: 'SyncFailed', message: 'refused' },
    { task: task('a', 'PostSync'), status: 'Synced', message: '' },
    { task: task('c'), status: 'PruneSkipped', message: 'ignored' },
  ]);
  expect(second.map(({ name, syncPhase, status, hookPhase }) => [name, syncPhase, status, hookPhase])).toEqual([
    ['a', 'Sync', 'SyncFailed', 'Failed'],
    ['b', 'Sync', 'Synced', 'Running'],
    ['c', 'Sync', 'PruneSkipped', 'Succeeded'],
    ['a', 'PostSync', 'Synced', 'Running'],
  ]);
  expect(first).toHaveLength(2);
  expect(recordOutcomes(first, [])).toBe(first);
});

it('DOS-07: results of very many objects take a time that grows with their number alone', { timeout: 5_000 }, () => {
  const names = Array.from({ length: 50_000 }, (_unused, index) => `object-${index}`);
  const outcomes = names.map((name) => ({ task: task(name), status: 'Synced' as const, message: `${name} created` }));
  const results: readonly ResourceResult[] = recordOutcomes(recordOutcomes([], outcomes), outcomes);
  expect(results).toHaveLength(names.length);
});
