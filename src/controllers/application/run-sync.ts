import {
  annotations,
  createHealthOf,
  formatKey,
  hasOption,
  planNamespace,
  planSyncStep,
  planTermination,
  concludeDryRun,
  concludeTermination,
  recordOutcomes,
  type SyncOperationFacts,
  type SyncStep,
  type SyncStepInput,
} from '../../engine/index.ts';
import type { Application, OperationState, ResourceResult, SyncOperationResult } from '../../model/index.ts';
import { parseTime, type KubeObject } from '../../objects/index.ts';
import type { ActingCluster } from './acting-cluster.ts';
import { createProjectCheck, createTaskCheck } from './check-task.ts';
import type { ComparedApplication } from './compare.ts';
import type { ControllerContext } from './controller-context.ts';
import { loadCustomKinds, type CustomKind } from './custom-kinds.ts';
import { deleteHook, releaseHook } from './hook-objects.ts';
import { runStages, messageOf, type StagesInput } from './run-stages.ts';
import { waitForCache } from './wait-for-cache.ts';

/** How an operation ended. */
export interface SyncOutcome {
  readonly phase: 'Succeeded' | 'Failed' | 'Error';
  readonly message: string;
  readonly syncResult?: SyncOperationResult;
}

export type SyncProgress =
  /** Something was done: look again. */
  | { readonly kind: 'stepped'; readonly results: readonly ResourceResult[]; readonly message: string; readonly isTrial: boolean }
  | { readonly kind: 'waiting'; readonly results: readonly ResourceResult[]; readonly message: string }
  | { readonly kind: 'ended'; readonly phase: SyncOutcome['phase']; readonly message: string; readonly results: readonly ResourceResult[] };

export interface SyncRun {
  readonly application: Application;
  readonly state: OperationState;
  readonly comparison: ComparedApplication;
  /** Where it is written. */
  readonly cluster: ActingCluster;
  /** Whether what is to be changed was tried. It may be tried again after a restart. */
  readonly isTried: boolean;
  /** Of the operation so far. */
  readonly results: readonly ResourceResult[];
  /** Writes down how far the operation is, before something is done on the strength of it. */
  readonly keep: (results: readonly ResourceResult[], message: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Carries out the next step of a sync, as the engine plans it. */
export async function runSyncStep(context: ControllerContext, run: SyncRun): Promise<SyncProgress> {
  const { comparison, state, signal } = run;
  const stages = stagesInput(context, run);
  const shared = comparison.problems.filter(({ type }) => type === 'SharedResourceWarning').map(({ message }) => message);
  if (shared.length > 0 && stages.syncOptions.includes('FailOnSharedResource=true'))
    return { kind: 'ended', phase: 'Failed', message: `Shared resource found: ${shared.join(', ')}`, results: run.results };
  const { desired, result } = comparison;
  const created = result.resources.flatMap((resource) => (resource.live === undefined && resource.desired ? [resource.desired] : []));
  const customKindOf = await loadCustomKinds(comparison.cluster, { objects: [...created, ...result.hooks], desired, signal });
  const step = planSyncStep(stepInput(context, run, stages, customKindOf));
  if (!isRepeatable(step)) await run.keep(step.results, step.message);
  for (const task of step.release) await releaseHook(task, stages);
  if (step.type === 'wait') return { kind: 'waiting', results: step.results, message: step.message };
  if (step.type === 'finish') return await finish(step, stages);
  const { outcomes, expectations } = await runStages(step.stages, stages);
  // What was cut off is not known to have failed: nothing of it is written down, and whoever goes on sees what there is.
  signal.throwIfAborted();
  if (step.stages[0]?.verb === 'dryRun') {
    const failed = concludeDryRun(step.results, outcomes);
    if (failed !== undefined) return { kind: 'ended', phase: 'Failed', message: failed.message, results: failed.results };
    return { kind: 'stepped', results: step.results, message: step.message, isTrial: true };
  }
  await waitForCache(context, comparison.cluster.cache, expectations, signal);
  const dryRun = state.operation.sync?.dryRun === true;
  return { kind: 'stepped', results: recordOutcomes(step.results, outcomes, { dryRun }), message: step.message, isTrial: false };
}

/** Whether a process that is killed in the midst of a step, or after it, can do it again. */
function isRepeatable(step: SyncStep): boolean {
  if (step.type === 'wait' || step.release.length > 0) return false;
  if (step.type === 'finish') return step.delete.length === 0;
  return step.stages.every(({ verb, tasks }) => verb === 'dryRun' || (verb === 'apply' && !tasks.some(({ isHook }) => isHook)));
}

async function finish(step: Extract<SyncStep, { type: 'finish' }>, stages: StagesInput): Promise<SyncProgress> {
  for (const task of step.delete) await deleteHook(task, stages);
  return { kind: 'ended', phase: step.phase, message: step.message, results: step.results };
}

/** Breaks a sync off: its running hooks are deleted, and what was applied stays. */
export async function terminateSync(context: ControllerContext, run: SyncRun): Promise<Extract<SyncProgress, { kind: 'ended' }>> {
  const stages = stagesInput(context, run);
  const { delete: tasks } = planTermination(stepInput(context, run, stages, () => undefined));
  const failures: { task: (typeof tasks)[number]; message: string }[] = [];
  for (const task of tasks) {
    try {
      await deleteHook(task, stages);
    } catch (error) {
      failures.push({ task, message: messageOf(error, run.signal) });
    }
  }
  const failed = new Set(failures.map(({ task }) => task));
  const end = concludeTermination(
    run.results,
    tasks.filter((task) => !failed.has(task)),
    failures,
  );
  return { kind: 'ended', ...end };
}

function stagesInput(context: ControllerContext, { application, state, cluster, comparison, signal }: SyncRun): StagesInput {
  const { settings, timers } = context;
  const sync = state.operation.sync ?? {};
  const syncOptions = sync.syncOptions ?? application.spec.syncPolicy?.syncOptions ?? [];
  const { applyParallelism } = settings.current.parameters;
  return {
    cluster,
    projectRefusalOf: createProjectCheck(context, comparison),
    sync,
    syncOptions,
    rules: hasOption(syncOptions, 'RespectIgnoreDifferences=true') ? comparison.rules : undefined,
    migratedManager: application.metadata.annotations?.[annotations.migrationManager] ?? 'kubectl-client-side-apply',
    newNamespaces: new Set([
      ...(hasOption(syncOptions, 'CreateNamespace=true') ? [application.spec.destination.namespace ?? ''] : []),
      ...comparison.desired.flatMap(({ apiVersion, kind, metadata }) =>
        apiVersion === 'v1' && kind === 'Namespace' ? [metadata.name ?? ''] : [],
      ),
    ]),
    timers,
    parallel: applyParallelism === 0 ? Infinity : applyParallelism,
    signal,
  };
}

function stepInput(
  context: ControllerContext,
  run: SyncRun,
  { sync, syncOptions }: StagesInput,
  customKindOf: (object: KubeObject) => CustomKind | undefined,
): SyncStepInput {
  const { application, state, comparison, results } = run;
  const operation: SyncOperationFacts = {
    startedAtMs: timeOf(state.startedAt),
    attempt: state.retryCount ?? 0,
    revision: comparison.target.revisions[0] ?? '',
    dryRun: sync.dryRun === true,
    prune: sync.prune === true,
    usesHooks: sync.syncStrategy?.apply === undefined,
    selected: sync.resources ?? [],
    syncOptions,
  };
  const { cache } = comparison.cluster;
  const namespace = application.spec.destination.namespace ?? '';
  const found = namespace === '' ? undefined : cache.find({ group: '', kind: 'Namespace', name: namespace });
  return {
    operation,
    resources: comparison.result.resources,
    hooks: comparison.result.hooks,
    liveHook: (key) => comparison.live.get(formatKey(key)),
    mark: comparison.mark,
    results,
    healthOf: createHealthOf(context.settings.current.resourceOverrides, () => context.clock.nowMs()),
    refusalOf: createTaskCheck(context, comparison, { syncOptions, customKindOf }),
    // What is new is checked without a request, as far as that can be done. A change of what is there may still be refused, and so may what
    // has rules that only the cluster can judge: these are tried before others are made.
    isDryRunDone: run.isTried || operation.dryRun || !changesSeveral(comparison.result),
    isTried: ({ isHook, modified, live, desired }) =>
      !isHook &&
      modified &&
      live !== 'unread' &&
      (live !== undefined || (desired !== undefined && customKindOf(desired)?.hasRules === true)),
    isPruneConfirmed: timeOf(application.metadata.annotations?.['argocd.argoproj.io/deletion-approved']) >= operation.startedAtMs,
    namespace: planNamespace({
      syncOptions,
      destinationNamespace: namespace,
      metadata: application.spec.syncPolicy?.managedNamespaceMetadata,
      desired: comparison.desired,
      live: found && (found.body ?? { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
    }),
  };
}

/** A single change that is refused leaves nothing half done. */
function changesSeveral({ resources, hooks }: ComparedApplication['result']): boolean {
  const changed = resources.filter(({ comparison, requiresPruning }) => comparison.modified || requiresPruning);
  return changed.length + hooks.length > 1;
}

/** Zero for what is no time. */
function timeOf(text: string | null | undefined): number {
  return (text ? parseTime(text) : undefined) ?? 0;
}
