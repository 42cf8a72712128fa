import type { ResourceResult } from '../../model/index.ts';
import { parseTime, type KubeObject } from '../../objects/index.ts';
import { annotationOf } from '../annotations.ts';
import type { Health } from '../health/health-status.ts';
import { hookRun, hookRunAnnotation } from './create-tasks.ts';
import type { SyncOperationFacts } from './create-tasks.ts';
import { hookTypesOf } from './hooks.ts';
import { missingMessage } from './sync-messages.ts';
import { isPrune, liveOf, stateOf, taskId } from './sync-task.ts';
import type { SyncTask } from './sync-task.ts';
import { indexResults, withResults } from './task-results.ts';
import type { TaskUpdate } from './task-results.ts';

export interface ObserveInput {
  readonly tasks: readonly SyncTask[];
  readonly results: readonly ResourceResult[];
  readonly operation: SyncOperationFacts;
  readonly healthOf: (object: KubeObject) => Health | undefined;
}

/** The results brought up to date with what is live: which of the running tasks have ended, and how. */
export function observeTasks({ tasks, results, operation, healthOf }: ObserveInput): readonly ResourceResult[] {
  const known = indexResults(results);
  const updates = tasks.flatMap((task): readonly (TaskUpdate & { readonly task: SyncTask })[] => {
    const result = known.get(taskId(task));
    if (stateOf(result) === 'pending' && isOwnRun(task, operation))
      return [{ task, status: 'Synced', phase: 'Running', message: `${task.name} created` }];
    if (stateOf(result) !== 'running' || isPrune(task) || task.live === 'unread') return [];
    const live = liveOf(task);
    const seen = live === undefined ? { phase: 'Failed' as const, message: missingMessage(task) } : observe(task, healthOf(live), result);
    return seen === undefined ? [] : [{ task, ...(result?.status && { status: result.status }), ...seen }];
  });
  return withResults(results, updates);
}

/** A hook that this very run has created, although it could not write that down any more. */
function isOwnRun(task: SyncTask, operation: SyncOperationFacts): boolean {
  const live = liveOf(task);
  if (!task.isHook || live === undefined) return false;
  const run = annotationOf(live, hookRunAnnotation);
  return run === '' ? isOfPredecessor(task, live, operation) : run === hookRun(task.phase, operation);
}

/**
 * A hook without a mark that came after the operation began: another controller began it, was stopped, and we go on. Where it may have been
 * made by an earlier attempt, or for another phase, nobody can tell.
 */
function isOfPredecessor({ desired }: SyncTask, live: KubeObject, { startedAtMs, attempt }: SyncOperationFacts): boolean {
  const createdMs = parseTime(live.metadata.creationTimestamp ?? '');
  const isSince = createdMs !== undefined && createdMs >= Math.floor(startedAtMs / 1000) * 1000;
  return isSince && attempt === 0 && desired !== undefined && hookTypesOf(desired).length === 1;
}

function observe(task: SyncTask, health: Health | undefined, result: ResourceResult | undefined): TaskUpdate | undefined {
  const message = health?.message ?? (task.isHook && !health ? `${task.name} created` : health ? '' : (result?.message ?? ''));
  switch (health?.status) {
    case undefined:
    case 'Healthy':
      return { phase: 'Succeeded', message };
    case 'Degraded':
      return { phase: 'Failed', message };
    case 'Unknown':
      return task.isHook ? { phase: 'Failed', message } : undefined;
    default:
      return task.isHook ? { phase: 'Running', message } : undefined;
  }
}
