import { expect, it } from 'vitest';
import type { KubeObject } from '../../objects/index.ts';
import { orderTasks } from './order-tasks.ts';
import type { SyncTask } from './sync-task.ts';

function task(kind: string, name: string, more: Partial<SyncTask> = {}): SyncTask {
  const key = { group: '', version: 'v1', kind, namespace: '', name };
  const desired: KubeObject = { apiVersion: 'v1', kind, metadata: { name } };
  return { ...key, phase: 'Sync', wave: 0, desired, live: undefined, isHook: false, modified: true, ...more };
}

function definition(kind: string, more: Partial<SyncTask> = {}): SyncTask {
  const desired = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: kind },
    spec: { group: 'corp.example', names: { kind } },
  } as KubeObject;
  return task('CustomResourceDefinition', kind, { group: 'apiextensions.k8s.io', desired, ...more });
}

it('What others need moves in front of the first of them, and what nobody needs stays', () => {
  const ordered = orderTasks(
    [
      task('Namespace', 'late', { wave: 5 }),
      task('Namespace', 'unused', { wave: 6 }),
      definition('Widget', { phase: 'PostSync' }),
      task('Widget', 'one', { group: 'corp.example', namespace: 'late' }),
      task('ConfigMap', 'early', { namespace: 'default' }),
    ],
    [],
  );
  expect(ordered.map(({ name, phase, wave }) => [name, phase, wave])).toEqual([
    ['early', 'Sync', 0],
    ['late', 'Sync', 0],
    ['Widget', 'Sync', 0],
    ['one', 'Sync', 0],
    ['unused', 'Sync', 6],
  ]);
});

it('DOS-07: very many definitions are ordered in a time that grows with their number alone', { timeout: 5_000 }, () => {
  const many = Array.from({ length: 40_000 }, (_unused, index) => definition(`Kind${index}`, { wave: 1 }));
  const ordered = orderTasks([...many, task('Kind7', 'one', { group: 'corp.example' })], []);
  expect(ordered.slice(0, 2).map(({ name, wave }) => [name, wave])).toEqual([
    ['Kind7', 0],
    ['one', 0],
  ]);
  expect(ordered).toHaveLength(many.length + 1);
});
