import { ApiError } from '../../base/index.ts';
import {
  hasMultipleSources,
  sourcesOf,
  type Application,
  type AppProject,
  type ApplicationSource,
  type OperationState,
  type ResourceResult,
  type SyncOperation,
  type SyncOperationResult,
} from '../../model/index.ts';
import { parseTime } from '../../objects/index.ts';
import { askWindows } from './ask-windows.ts';
import { openActingCluster, type ActingCluster } from './acting-cluster.ts';
import type { ApplicationMemory } from './application-memory.ts';
import { compare, type ComparedApplication, type Comparison } from './compare.ts';
import type { ControllerContext } from './controller-context.ts';
import { isLiveUnknown } from './live-trouble.ts';
import { localManifestsOf } from './local-target.ts';
import { timeLeftFor } from './operation-deadline.ts';
import { runSyncStep, terminateSync, type SyncOutcome, type SyncProgress, type SyncRun } from './run-sync.ts';
import { StaleApplication, writeApplication } from './write-application.ts';

export type SyncResult =
  | { readonly kind: 'waiting'; readonly application: Application; readonly afterMs: number }
  | { readonly kind: 'ended'; readonly application: Application; readonly outcome: SyncOutcome };

/** How soon a sync that waits looks again, where no watch tells it to. */
const lookAgainMs = 5_000;
/** How soon a sync that a window holds up looks whether it is still closed. */
const windowLookMs = 10_000;
/** How soon a sync whose cluster is away looks for it, and how long. */
const outageLookMs = 2_000;
const outageMaxMs = 300_000;
const LATE = ', triggered by controller sync timeout';
/** More steps than a sync has waves and phases: one that takes more goes round in a circle. */
const stepsMax = 10_000;

/** Carries out a sync step by step until it ends or has to wait. What a step has done is written down before the next does anything. */
export async function syncApplication(
  context: ControllerContext,
  begun: Application,
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<SyncResult> {
  let application = begun;
  let results = resultsOf(stateOf(begun));
  let isTried = false;
  for (let count = 0; count < stepsMax; count++) {
    const state = stateOf(application);
    const isOver = state.phase === 'Terminating' || timeLeftFor(context, state) === 0;
    // Where no hook runs there is nothing to take back: neither the source nor the cluster has to answer for an operation to end.
    if (isOver && !results.some(isRunningHook)) {
      const syncResult = state.syncResult && { syncResult: withResources(state.syncResult, results) };
      return { kind: 'ended', application, outcome: { ...endBroken(state, '', isOver), ...syncResult } };
    }
    const plan = planComparison(application, state);
    const comparison = await compare(context, application, {
      ...plan,
      fresh: true,
      manifests: localManifestsOf(application),
      memory,
      signal,
    });
    const broken = describeBroken(comparison);
    if (broken !== undefined && !isOver && maySitOut(context, comparison, results, memory)) {
      const message = `waiting for the cluster: ${broken}`;
      const syncResult = state.syncResult && { syncResult: withResources(state.syncResult, results) };
      application = await write(context, application, { message, ...syncResult }, signal);
      return { kind: 'waiting', application, afterMs: outageLookMs };
    }
    memory.outageSinceMs = undefined;
    if (comparison.kind !== 'compared' || broken !== undefined)
      return { kind: 'ended', application, outcome: endBroken(state, broken ?? '', isOver) };
    const cluster = openCluster(context, application, comparison);
    if (typeof cluster === 'string') return { kind: 'ended', application, outcome: endBroken(state, cluster, isOver) };
    const base = baseResult(application, comparison.target.revisions, plan);
    const keep = async (reached: readonly ResourceResult[], message: string): Promise<void> => {
      const syncResult = withResources(base, reached);
      // The first step of an operation whose revision is known has nothing to say that is not known.
      if (reached.length === 0 && !state.finishedAt && isNamed(state, base)) return;
      application = await write(context, application, { message, syncResult }, signal);
    };
    const run: SyncRun = { application, state, comparison, cluster, isTried, results, keep, signal };
    const blocked = isOver ? undefined : findBlock(context, application, comparison.project, state);
    if (blocked !== undefined) {
      application = await write(context, application, { message: blocked, syncResult: withResources(base, results) }, signal);
      return { kind: 'waiting', application, afterMs: windowLookMs };
    }
    const progress: SyncProgress = isOver ? await terminateSync(context, run) : await runSyncStep(context, run);
    if (progress.kind === 'ended') {
      const message = isOver && state.phase !== 'Terminating' ? `${progress.message}${LATE}` : progress.message;
      return { kind: 'ended', application, outcome: { phase: progress.phase, message, syncResult: withResources(base, progress.results) } };
    }
    if (progress.kind === 'waiting') return { kind: 'waiting', application, afterMs: lookAgainMs };
    results = progress.results;
    isTried ||= progress.isTrial;
  }
  throw new Error('a sync took more steps than it can have');
}

/**
 * Whether a sync that has begun waits for its cluster to come back, rather than to end half-way. One that has done nothing yet has nothing
 * to lose; and a cluster that stays away is not waited for without end.
 */
function maySitOut(
  { clock }: ControllerContext,
  comparison: Comparison,
  results: readonly ResourceResult[],
  memory: ApplicationMemory,
): boolean {
  if (results.length === 0 || !isLiveUnknown(comparison)) return false;
  memory.outageSinceMs ??= clock.nowMs();
  return clock.nowMs() - memory.outageSinceMs < outageMaxMs;
}

/** Why nobody may write, where nobody may. */
function openCluster(context: ControllerContext, application: Application, comparison: ComparedApplication): ActingCluster | string {
  try {
    return openActingCluster(context, application, comparison);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

function stateOf({ status }: Application): OperationState {
  if (!status?.operationState) throw new StaleApplication('the operation has no state');
  return status.operationState;
}

function withResources(base: SyncOperationResult, results: readonly ResourceResult[]): SyncOperationResult {
  return results.length > 0 ? { ...base, resources: [...results] } : base;
}

/** Why a window of the project holds an operation up; undefined where none does. */
function findBlock({ clock }: ControllerContext, application: Application, project: AppProject, state: OperationState): string | undefined {
  const startedAtMs = state.startedAt ? parseTime(state.startedAt) : undefined;
  const isManual = state.operation.initiatedBy?.automated !== true;
  const time = { nowMs: clock.nowMs(), isManual, ...(startedAtMs !== undefined && { startedAtMs }) };
  const { isOpen, problem } = askWindows(application, project, time);
  if (isOpen) return undefined;
  return `Sync operation blocked by sync window${problem === undefined ? '' : `: ${problem}`}`;
}

/** Whether the operation itself names the revisions, so that whoever goes on with it comes to the same ones. */
function isNamed({ operation, syncResult }: OperationState, { revision, revisions = [] }: SyncOperationResult): boolean {
  if (syncResult) return true;
  const { sync } = operation;
  return revisions.length > 0 ? revisions.join() === (sync?.revisions ?? []).join() : revision === sync?.revision;
}

/** What of an attempt counts; one that is tried again begins anew. */
function resultsOf({ finishedAt, syncResult }: OperationState): readonly ResourceResult[] {
  return finishedAt ? [] : (syncResult?.resources ?? []);
}

interface PlannedComparison {
  readonly sources: readonly ApplicationSource[];
  readonly revisions: readonly string[];
  readonly isMultiple: boolean;
}

/** What is synced to: what an earlier step resolved is kept, so that all of an operation is of one revision. */
function planComparison(application: Application, { operation, syncResult, finishedAt }: OperationState): PlannedComparison {
  const sync: SyncOperation = operation.sync ?? {};
  const sources = sync.sources?.length ? sync.sources : sync.source ? [sync.source] : sourcesOf(application);
  const isMultiple = (sync.sources?.length ?? 0) > 0 || (sync.source === undefined && hasMultipleSources(application));
  const isFresh = finishedAt && operation.retry?.refresh === true;
  const pinned = isFresh ? undefined : syncResult;
  const asked = isFresh ? {} : sync;
  return {
    sources,
    isMultiple,
    revisions: isMultiple ? (pinned?.revisions ?? asked.revisions ?? []) : [pinned?.revision || asked.revision || ''],
  };
}

function baseResult({ spec }: Application, revisions: readonly string[], { sources, isMultiple }: PlannedComparison): SyncOperationResult {
  const { managedNamespaceMetadata } = spec.syncPolicy ?? {};
  const namespace = managedNamespaceMetadata && { managedNamespaceMetadata };
  if (isMultiple) return { revision: '', sources: [...sources], revisions: [...revisions], ...namespace };
  return { revision: revisions[0] ?? '', ...(sources[0] && { source: sources[0] }), ...namespace };
}

/** Why nothing can be synced, in the words of an operation; undefined where it can. */
function describeBroken(comparison: Comparison): string | undefined {
  const problems = comparison.kind === 'compared' ? comparison.problems.filter(({ type }) => type.endsWith('Error')) : comparison.problems;
  return problems.length === 0 ? undefined : problems.map(({ type, message }) => `${type}: ${message}`).join(';');
}

/** An operation that is to stop does so also where its cluster or its source does not answer. */
function endBroken(state: OperationState, message: string, isOver: boolean): SyncOutcome {
  const kept = state.syncResult ? { syncResult: state.syncResult } : {};
  if (!isOver) return { phase: 'Error', message, ...kept };
  const hasHooks = resultsOf(state).some(isRunningHook);
  const text = hasHooks ? 'Operation termination had errors' : 'Operation terminated';
  const why = state.phase === 'Terminating' ? '' : LATE;
  return { phase: hasHooks ? 'Error' : 'Failed', message: `${text}${why}`, ...kept };
}

function isRunningHook({ hookType, hookPhase }: ResourceResult): boolean {
  return Boolean(hookType) && hookPhase === 'Running';
}

/** Throws StaleApplication also where the application is gone: there is nothing more to do for it here. */
async function write(
  context: ControllerContext,
  application: Application,
  reached: Pick<OperationState, 'message' | 'syncResult'>,
  signal: AbortSignal,
): Promise<Application> {
  const operationState: OperationState = { ...stateOf(application), ...reached };
  delete operationState.finishedAt;
  const stored = await writeApplication(context, application, { status: { ...application.status, operationState } }, signal);
  if (stored === undefined) throw new StaleApplication('the application is gone');
  return stored;
}
