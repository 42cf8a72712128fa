import type { ResourceResult } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { hookFinalizer } from '../annotations.ts';
import type { Health } from '../health/health-status.ts';
import { createTasks } from './create-tasks.ts';
import type { TasksInput } from './create-tasks.ts';
import { hookDeletePoliciesOf } from './hooks.ts';
import type { HookDeletePolicy } from './hooks.ts';
import { observeTasks } from './observe-tasks.ts';
import { hasOption, hasOptionFor } from './sync-options.ts';
import * as messages from './sync-messages.ts';
import { isPrune, liveOf, stateOf, taskId } from './sync-task.ts';
import type { SyncTask, TaskState } from './sync-task.ts';
import { indexResults, recordOutcomes } from './task-results.ts';
import type { TaskOutcome } from './task-results.ts';

/** What an executor does to the objects of some tasks, at the same time for all of them. */
export interface SyncStage {
  /**
   * `dryRun`: try what `apply` would do; the outcomes go to `concludeDryRun`. `apply`: create or update; where the operation is a dry run
   * itself, only try. `prune`: delete.
   * `delete`: let go of a hook's finalizer and delete it; nothing is reported, the next step sees whether it is gone.
   */
  readonly verb: 'dryRun' | 'apply' | 'prune' | 'delete';
  readonly tasks: readonly SyncTask[];
}

/** The next thing that a sync does. `results` are to be kept before anything else happens. */
export type SyncStep = {
  readonly results: readonly ResourceResult[];
  readonly message: string;
  /** Hooks that have ended: their finalizer is to be taken away. Does not hold up the sync. */
  readonly release: readonly SyncTask[];
} & (
  | { readonly type: 'run'; readonly stages: readonly SyncStage[] }
  /** Nothing to do until something changes. */
  | { readonly type: 'wait' }
  /** `delete` are hooks that go with the end of the operation. */
  | { readonly type: 'finish'; readonly phase: 'Succeeded' | 'Failed' | 'Error'; readonly delete: readonly SyncTask[] }
);

export interface SyncStepInput extends TasksInput {
  /** Of this operation so far, from its state. */
  readonly results: readonly ResourceResult[];
  readonly healthOf: (object: KubeObject) => Health | undefined;
  /** Why a task may not be done; undefined where it may. Asked of all before anything is done, and again of each when it is its turn. */
  readonly refusalOf: (task: SyncTask) => string | undefined;
  /** Whether the dry run of this operation is behind it. It may be repeated after a restart. */
  readonly isDryRunDone: boolean;
  /** Which tasks are tried before anything is done; all that apply something unless given. */
  readonly isTried?: (task: SyncTask) => boolean;
  /** Whether somebody has confirmed prunes that ask for it. */
  readonly isPruneConfirmed: boolean;
  /** The namespace that the sync creates first, where there is one. */
  readonly namespace?: SyncTask | undefined;
}

interface Context {
  readonly input: SyncStepInput;
  readonly tasks: readonly SyncTask[];
  readonly results: readonly ResourceResult[];
  readonly stateOf: (task: SyncTask) => TaskState;
}

/**
 * The next step of a sync. It depends on nothing but what is given: after a restart the same results and objects give the same step. An
 * executor carries out the stages in their order, records the outcomes with `recordOutcomes`, and asks again; it skips the stages after one
 * of `prune` or `dryRun` in which something failed.
 */
export function planSyncStep(input: SyncStepInput): SyncStep {
  const { operation, namespace } = input;
  const all = createTasks(input);
  // What this operation has applied no longer differs, and is waited for all the same.
  const begun = indexResults(input.results);
  const tasks = hasOption(operation.syncOptions, 'ApplyOutOfSyncOnly=true')
    ? all.filter((task) => task.isHook || isPrune(task) || task.modified || begun.has(taskId(task)))
    : all;
  const last = lastOf(tasks);
  const observed = tasks.filter((task) => task.isHook || !isSameGroup(task, last));
  const results = observeTasks({ tasks: observed, results: input.results, operation, healthOf: input.healthOf });
  const context = createContext(input, tasks, results);
  const namespaceState = namespace && stateOf(indexResults(results).get(taskId(namespace)));
  const hasStarted = tasks.some((task) => context.stateOf(task) !== 'pending');
  if (!hasStarted) {
    const refused = findRefused(tasks, input);
    if (refused.length > 0) return refuse(context, refused);
  }
  if (namespace && namespaceState === 'failed') return fail(context, namespaceFailure(context, namespace));
  if (namespace && namespaceState === 'pending') return run(context, [{ verb: 'apply', tasks: [namespace] }]);
  const trials = hasStarted || input.isDryRunDone ? [] : dryRunStages(tasks.filter((task) => input.isTried?.(task) !== false));
  if (trials.length > 0) return run(context, trials);
  return planStarted(context);
}

/** The end of an operation whose dry run has failed; undefined where it has not. Nothing was changed, so nothing is cleaned up either. */
export function concludeDryRun(results: readonly ResourceResult[], outcomes: readonly TaskOutcome[]): SyncStep | undefined {
  const failed = outcomes.filter(({ status }) => status === 'SyncFailed');
  if (failed.length === 0) return undefined;
  const message = messages.dryRunFailed;
  return { type: 'finish', phase: 'Failed', message, results: recordOutcomes(results, failed), release: [], delete: [] };
}

/** A task of the last phase and wave: how the objects of these fare afterwards is no matter of the sync. */
function lastOf(tasks: readonly SyncTask[]): SyncTask | undefined {
  return tasks.findLast(({ phase }) => phase !== 'SyncFail');
}

function createContext(input: SyncStepInput, tasks: readonly SyncTask[], results: readonly ResourceResult[]): Context {
  const known = indexResults(results);
  return { input, tasks, results, stateOf: (task) => stateOf(known.get(taskId(task))) };
}

interface RefusedTask {
  readonly task: SyncTask;
  readonly message: string;
}

function findRefused(tasks: readonly SyncTask[], { refusalOf }: Pick<SyncStepInput, 'refusalOf'>): readonly RefusedTask[] {
  return tasks.flatMap((task) => {
    const message = refusalOf(task);
    return message === undefined ? [] : [{ task, message }];
  });
}

function refuse(context: Context, refused: readonly RefusedTask[]): SyncStep {
  const results = recordRefused(context.results, refused);
  const texts = [...new Set(refused.map(({ message }) => message))].join('; ');
  return { type: 'finish', phase: 'Failed', message: `${messages.notValid}: ${texts}`, results, release: [], delete: [] };
}

function recordRefused(results: readonly ResourceResult[], refused: readonly RefusedTask[]): readonly ResourceResult[] {
  return recordOutcomes(
    results,
    refused.map((each) => ({ ...each, status: 'SyncFailed' })),
  );
}

function namespaceFailure({ results }: Context, namespace: SyncTask): string {
  return messages.withReasons(messages.namespaceFailed, [indexResults(results).get(taskId(namespace))?.message ?? '']);
}

/** Deletes have nothing to try. */
function dryRunStages(tasks: readonly SyncTask[]): readonly SyncStage[] {
  return groupByKind(tasks.filter((task) => !isPrune(task))).map((group) => ({ verb: 'dryRun', tasks: group }));
}

function planStarted(context: Context): SyncStep {
  const tasks = context.tasks.filter(({ phase }) => phase !== 'SyncFail');
  const failed = tasks.filter((task) => context.stateOf(task) === 'failed');
  const open = tasks.filter((task) => ['pending', 'running'].includes(context.stateOf(task)));
  const current = open.filter((task) => isSameGroup(task, open[0]));
  // Hooks that run are waited for also where something has failed: what they do must not meet the clean-up.
  const runningHooks = open.filter((task) => task.isHook && context.stateOf(task) === 'running');
  if (failed.length > 0) return runningHooks.length > 0 ? wait(context, runningHooks, 'end') : planFailure(context, failed);
  const pending = current.filter((task) => context.stateOf(task) === 'pending');
  if (pending.length > 0) return planGroup(context, pending, tasks);
  const last = lastOf(tasks);
  const waited = current.filter((task) => task.isHook || !isSameGroup(task, last));
  if (waited.length > 0) return wait(context, waited, 'end');
  return succeed(context, tasks);
}

/** The tasks of one phase and wave that are left to do. What was allowed when the sync began may not be any more. */
function planGroup(context: Context, pending: readonly SyncTask[], tasks: readonly SyncTask[]): SyncStep {
  const { input } = context;
  const refused = findRefused(pending, input);
  if (refused.length > 0) return refuse(context, refused);
  const leaving = tasks.filter(
    (task) => isPrune(task) && context.stateOf(task) === 'succeeded' && liveOf(task)?.metadata.deletionTimestamp !== undefined,
  );
  const isLater = leaving.some((task) => !isSameGroup(task, pending[0]));
  if (isLater) return wait(context, leaving, 'deletion');
  const kept = pending.filter((task) => isPrune(task) && keepMessage(task, input) !== undefined);
  if (kept.length > 0) {
    const outcomes = kept.map((task) => ({ task, status: 'PruneSkipped' as const, message: keepMessage(task, input) ?? '' }));
    return planStarted(createContext(input, context.tasks, recordOutcomes(context.results, outcomes)));
  }
  const prunes = pending.filter(isPrune);
  const unconfirmed = prunes.filter(
    (task) => !input.isPruneConfirmed && hasOptionFor(liveOf(task), input.operation.syncOptions, 'Prune=confirm'),
  );
  if (unconfirmed.length > 0 && !input.operation.dryRun) return wait(context, unconfirmed, 'confirmation');
  const creates = pending.filter((task) => !isPrune(task));
  const former = input.operation.dryRun ? [] : creates.filter(isInTheWay);
  const pruneStages: SyncStage[] = prunes.length > 0 ? [{ verb: 'prune', tasks: prunes }] : [];
  if (former.length > 0) return planFormerHooks(context, former, pruneStages);
  return run(context, [...pruneStages, ...groupByKind(creates).map((group): SyncStage => ({ verb: 'apply', tasks: group }))]);
}

/** Why an object that is no longer wanted stays. */
function keepMessage(task: SyncTask, { operation }: SyncStepInput): string | undefined {
  if (hasOptionFor(liveOf(task), operation.syncOptions, 'Prune=false')) return 'ignored (no prune)';
  return operation.prune ? undefined : 'ignored (requires pruning)';
}

/** A hook of an earlier run that is to be gone before it is created anew, or is on its way out. Any other is applied as what is there. */
function isInTheWay(task: SyncTask): boolean {
  const live = liveOf(task);
  return task.isHook && live !== undefined && (live.metadata.deletionTimestamp !== undefined || hasPolicy(task, 'BeforeHookCreation'));
}

function planFormerHooks(context: Context, former: readonly SyncTask[], pruneStages: readonly SyncStage[]): SyncStep {
  const staying = former.filter((task) => {
    const { deletionTimestamp, finalizers = [] } = liveOf(task)?.metadata ?? {};
    return deletionTimestamp === undefined || finalizers.includes(hookFinalizer);
  });
  if (staying.length === 0 && pruneStages.length === 0) return wait(context, former, 'deletion');
  return run(context, [...pruneStages, ...(staying.length > 0 ? [{ verb: 'delete' as const, tasks: staying }] : [])]);
}

function planFailure(context: Context, failed: readonly SyncTask[]): SyncStep {
  const known = indexResults(context.results);
  const unapplied = failed.map((task) => known.get(taskId(task))).filter((result) => result?.status === 'SyncFailed');
  const hooks = context.tasks.filter(({ phase }) => phase === 'SyncFail');
  const wasApply = unapplied.length > 0 && hooks.length === 0;
  const reasons = unapplied.map((result) => result?.message ?? '');
  const message = messages.withReasons(wasApply ? messages.applyFailed : messages.tasksFailed, reasons);
  const pending = hooks.filter((task) => context.stateOf(task) === 'pending');
  // That a sync has begun is known by its results alone, which whoever writes the application may have written: nobody may have asked yet.
  // Why the sync failed is still told, and what may run does.
  const refused = findRefused(pending, context.input);
  if (refused.length > 0) return planFailure(createContext(context.input, context.tasks, recordRefused(context.results, refused)), failed);
  const former = context.input.operation.dryRun ? [] : pending.filter(isInTheWay);
  if (former.length > 0) return planFormerHooks(context, former, []);
  if (pending.length > 0)
    return run(
      context,
      groupByKind(pending).map((group) => ({ verb: 'apply', tasks: group })),
    );
  const open = hooks.filter((task) => context.stateOf(task) === 'running');
  if (open.length > 0) return wait(context, open, 'end');
  const failedHooks = hooks.filter((task) => context.stateOf(task) === 'failed').map((task) => known.get(taskId(task))?.message ?? '');
  const suffix = failedHooks.length > 0 ? `\n${messages.withReasons(messages.failureHooksFailed, failedHooks)}` : '';
  return fail(context, message + suffix);
}

function succeed(context: Context, tasks: readonly SyncTask[]): SyncStep {
  const last = tasks.at(-1);
  const endsWithHooks = last === undefined || tasks.some((task) => task.isHook && isSameGroup(task, last));
  return {
    ...base(context, endsWithHooks ? messages.noMoreTasks : messages.allTasksRun),
    type: 'finish',
    phase: 'Succeeded',
    delete: endedHooks(context, 'HookSucceeded'),
  };
}

function fail(context: Context, message: string): SyncStep {
  return { ...base(context, message), type: 'finish', phase: 'Failed', delete: endedHooks(context, 'HookFailed') };
}

function run(context: Context, stages: readonly SyncStage[]): SyncStep {
  return { ...base(context, messages.running), type: 'run', stages };
}

function wait(context: Context, tasks: readonly SyncTask[], what: 'end' | 'deletion' | 'confirmation'): SyncStep {
  return { ...base(context, messages.waitingFor(tasks, what)), type: 'wait' };
}

function base(context: Context, message: string): Pick<SyncStep, 'results' | 'message' | 'release'> {
  const release = context.tasks.filter((task) => {
    const hasEnded = ['succeeded', 'failed'].includes(context.stateOf(task));
    return task.isHook && hasEnded && liveOf(task)?.metadata.finalizers?.includes(hookFinalizer) === true;
  });
  return { results: context.results, message, release };
}

/** Policies act on the end of the whole operation, not on that of each hook. */
function endedHooks(context: Context, policy: HookDeletePolicy): readonly SyncTask[] {
  return context.tasks.filter((task) => {
    const hasEnded = ['succeeded', 'failed'].includes(context.stateOf(task));
    return task.isHook && hasEnded && liveOf(task) !== undefined && hasPolicy(task, policy);
  });
}

function hasPolicy({ desired }: SyncTask, policy: HookDeletePolicy): boolean {
  return desired !== undefined && hookDeletePoliciesOf(desired).includes(policy);
}

function isSameGroup(task: SyncTask, other: SyncTask | undefined): boolean {
  return task.phase === other?.phase && task.wave === other.wave;
}

/** Runs of tasks of one kind: the objects of a kind do not need each other. */
function groupByKind(tasks: readonly SyncTask[]): readonly (readonly SyncTask[])[] {
  const groups: SyncTask[][] = [];
  for (const task of tasks) {
    const group = groups.at(-1);
    if (group?.[0]?.kind === task.kind) group.push(task);
    else groups.push([task]);
  }
  return groups;
}
