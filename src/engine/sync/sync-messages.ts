import { printTask } from './sync-task.ts';
import type { SyncTask } from './sync-task.ts';

export const running = 'one or more tasks are running';
export const notValid = 'one or more synchronization tasks are not valid';
export const dryRunFailed = 'one or more objects failed to apply (dry run)';
export const applyFailed = 'one or more objects failed to apply';
export const tasksFailed = 'one or more synchronization tasks completed unsuccessfully';
export const failureHooksFailed = 'one or more SyncFail hooks failed';
export const namespaceFailed = 'the namespace failed to apply';
export const allTasksRun = 'successfully synced (all tasks run)';
export const noMoreTasks = 'successfully synced (no more tasks)';
export const terminated = 'Operation terminated';
export const terminatedWithErrors = 'Operation termination had errors';

/** A message with the reasons that are known. */
export function withReasons(message: string, reasons: readonly string[]): string {
  const known = reasons.filter((reason) => reason !== '');
  return known.length === 0 ? message : `${message}, reason: ${known.join(',')}`;
}

/** What a sync waits for: the first of its tasks by name, the others by their number. */
export function waitingFor(tasks: readonly SyncTask[], what: 'end' | 'deletion' | 'confirmation'): string {
  const [first] = tasks;
  if (first === undefined) return running;
  const more = tasks.length > 1 ? ` and ${tasks.length - 1} more ${first.isHook ? 'hooks' : 'resources'}` : '';
  return `waiting for ${goalOf(first, what)} ${printTask(first)}${more}`;
}

function goalOf({ isHook }: SyncTask, what: 'end' | 'deletion' | 'confirmation'): string {
  if (what === 'confirmation') return 'pruning confirmation of';
  if (what === 'deletion') return isHook ? 'deletion of hook' : 'deletion of';
  return isHook ? 'completion of hook' : 'healthy state of';
}

export function missingMessage(task: SyncTask): string {
  return `Resource ${printTask(task)} is missing, it might have been deleted`;
}
