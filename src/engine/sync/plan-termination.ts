import type { ResourceResult } from '../../model/index.ts';
import { createTasks } from './create-tasks.ts';
import type { TasksInput } from './create-tasks.ts';
import * as messages from './sync-messages.ts';
import { liveOf, stateOf, taskId } from './sync-task.ts';
import type { SyncTask } from './sync-task.ts';
import { indexResults, withResults } from './task-results.ts';

/** How an operation is broken off: its running hooks are deleted, and what was applied stays. */
export interface Termination {
  readonly delete: readonly SyncTask[];
}

export function planTermination(input: TasksInput & { readonly results: readonly ResourceResult[] }): Termination {
  const known = indexResults(input.results);
  const running = createTasks(input).filter((task) => task.isHook && stateOf(known.get(taskId(task))) === 'running');
  return { delete: running.filter((task) => liveOf(task) !== undefined || task.live === 'unread') };
}

export interface TerminationEnd {
  readonly phase: 'Failed' | 'Error';
  readonly message: string;
  readonly results: readonly ResourceResult[];
}

/** The end of an operation that was broken off. `failures` are hooks that could not be deleted, and why. */
export function concludeTermination(
  results: readonly ResourceResult[],
  deleted: readonly SyncTask[],
  failures: readonly { readonly task: SyncTask; readonly message: string }[] = [],
): TerminationEnd {
  const all = withResults(results, [
    ...deleted.map((task) => ({ task, phase: 'Failed' as const, message: 'Terminated' })),
    ...failures.map(({ task, message }) => ({ task, phase: 'Failed' as const, message: `Failed to delete: ${message}` })),
  ]);
  if (failures.length > 0) return { phase: 'Error', message: messages.terminatedWithErrors, results: all };
  return { phase: 'Failed', message: messages.terminated, results: all };
}
