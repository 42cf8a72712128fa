import { ApiError } from '../../base/index.ts';
import {
  hasMultipleSources,
  sourcesOf,
  type Application,
  type AppProject,
  type ApplicationSource,
  type ApplicationStatus,
  type OperationState,
  type ResourceResult,
  type SyncOperation,
  type SyncOperationResult,
} from '../../model/index.ts';
import { parseTime } from '../../objects/index.ts';
import { askWindows } from './ask-windows.ts';
import { openActingCluster, type ActingCluster } from './acting-cluster.ts';
import type { ApplicationDraft } from './application-draft.ts';
import type { ApplicationMemory } from './application-memory.ts';
import { rememberAttempt } from './attempted-target.ts';
import { resolveCluster } from './check-spec.ts';
import { compare, type ComparedApplication, type Comparison } from './compare.ts';
import type { ControllerContext } from './controller-context.ts';
import { isLiveUnknown } from './live-trouble.ts';
import { localManifestsOf } from './local-target.ts';
import { timeLeftFor } from './operation-deadline.ts';
import { runSyncStep, terminateSync, type SyncOutcome, type SyncProgress, type SyncRun } from './run-sync.ts';
import { StaleApplication } from './write-application.ts';

export interface SyncEnd {
  readonly outcome: SyncOutcome;
  /** Whether nothing of the operation does harm if it is done once more from its beginning, as after a kill. */
  readonly isRepeatable: boolean;
}

export type SyncResult = { readonly kind: 'waiting'; readonly afterMs: number } | ({ readonly kind: 'ended' } & SyncEnd);

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

/**
 * Carries out a sync step by step until it ends or has to wait. Before a step that must not be done twice, all that was done is written
 * down; what is only applied can be applied again.
 */
export async function syncApplication(
  context: ControllerContext,
  draft: ApplicationDraft,
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<SyncResult> {
  let results = resultsOf(stateOf(draft.application));
  let isRepeatable = results.every(isHarmless);
  let isTried = false;
  for (let count = 0; count < stepsMax; count++) {
    const { application } = draft;
    const state = stateOf(application);
    const isOver = state.phase === 'Terminating' || timeLeftFor(context, state) === 0;
    const end = (outcome: SyncOutcome): SyncResult => ({ kind: 'ended', outcome, isRepeatable });
    // Where no hook runs there is nothing to take back: neither the source nor the cluster has to answer for an operation to end.
    if (isOver && !results.some(isRunningHook)) return end({ ...endBroken(state, '', isOver), ...resultSoFar(state, results) });
    const plan = planComparison(application, state);
    const comparison = await compare(context, application, {
      ...plan,
      fresh: true,
      manifests: localManifestsOf(application),
      memory,
      signal,
    });
    // Meanwhile it may be reached in another way: whatever was found or failed, its successor is asked.
    if (isReplaced(context, application, comparison)) continue;
    const broken = describeBroken(comparison);
    if (broken !== undefined && !isOver && maySitOut(context, comparison, results, memory)) {
      await write(draft, { message: `waiting for the cluster: ${broken}`, ...resultSoFar(state, results) });
      return { kind: 'waiting', afterMs: outageLookMs };
    }
    memory.outageSinceMs = undefined;
    if (comparison.kind !== 'compared' || broken !== undefined) return end(endBroken(state, broken ?? '', isOver));
    const cluster = openCluster(context, application, comparison);
    if (typeof cluster === 'string') return end(endBroken(state, cluster, isOver));
    const { revisions } = comparison.target;
    rememberAttempt(application, comparison.target, memory);
    const base = baseResult(application, revisions, plan);
    // What was resolved holds for all of the operation, whoever goes on with it.
    if (revisions.join() !== plan.revisions.join()) draft.note({ status: statusWith(draft, { syncResult: base }) });
    const keep = async (reached: readonly ResourceResult[], message: string): Promise<void> => {
      isRepeatable = false;
      // The first step of an operation whose revision is known has nothing to say but that it runs.
      const isKnown = reached.length === 0 && !state.finishedAt && isNamed(state, base);
      await write(draft, isKnown ? {} : { message, syncResult: withResources(base, reached) });
    };
    const blocked = isOver ? undefined : findBlock(context, application, comparison.project, state);
    if (blocked !== undefined) {
      await write(draft, { message: blocked, syncResult: withResources(base, results) });
      return { kind: 'waiting', afterMs: windowLookMs };
    }
    const run: SyncRun = { application, state, comparison, cluster, isTried, results, keep, signal };
    const progress: SyncProgress = isOver ? await terminateSync(context, run) : await runSyncStep(context, run);
    if (progress.kind === 'ended') {
      const message = isOver && state.phase !== 'Terminating' ? `${progress.message}${LATE}` : progress.message;
      return end({ phase: progress.phase, message, syncResult: withResources(base, progress.results) });
    }
    if (progress.kind === 'waiting') return { kind: 'waiting', afterMs: lookAgainMs };
    results = progress.results;
    isTried ||= progress.isTrial;
  }
  throw new Error('a sync took more steps than it can have');
}

function isReplaced(context: ControllerContext, application: Application, comparison: Comparison): boolean {
  if (comparison.kind === 'invalid') return false;
  const cluster = resolveCluster(context, application);
  return typeof cluster !== 'string' && cluster !== comparison.cluster;
}

/** What was applied can be applied again; a hook must not run twice, and what was pruned is not there any more to be told of. */
function isHarmless({ hookType, status }: ResourceResult): boolean {
  return !hookType && status !== 'Pruned';
}

function resultSoFar({ syncResult }: OperationState, results: readonly ResourceResult[]): Pick<OperationState, 'syncResult'> {
  return syncResult ? { syncResult: withResources(syncResult, results) } : {};
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
function isNamed(state: OperationState, { revision, revisions = [] }: SyncOperationResult): boolean {
  if (state.syncResult) return true;
  if (isFresh(state)) return false;
  const { sync } = state.operation;
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
function planComparison(application: Application, state: OperationState): PlannedComparison {
  const { syncResult } = state;
  const sync: SyncOperation = state.operation.sync ?? {};
  const sources = sync.sources?.length ? sync.sources : sync.source ? [sync.source] : sourcesOf(application);
  const isMultiple = (sync.sources?.length ?? 0) > 0 || (sync.source === undefined && hasMultipleSources(application));
  const asked = isFresh(state) ? {} : sync;
  return {
    sources,
    isMultiple,
    revisions: isMultiple ? (syncResult?.revisions ?? asked.revisions ?? []) : [syncResult?.revision || asked.revision || ''],
  };
}

/** Whether it is tried again with the newest revisions, and not with those that were asked for. */
function isFresh({ operation, retryCount = 0 }: OperationState): boolean {
  return retryCount > 0 && operation.retry?.refresh === true;
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

type Reached = Partial<Pick<OperationState, 'message' | 'syncResult'>>;

/** Throws StaleApplication also where the application is gone: there is nothing more to do for it here. */
async function write(draft: ApplicationDraft, reached: Reached): Promise<void> {
  if (!(await draft.write({ status: statusWith(draft, reached) }))) throw new StaleApplication('the application is gone');
}

/** The status of an application whose operation runs and has come so far. */
function statusWith({ application }: ApplicationDraft, reached: Reached): ApplicationStatus {
  const operationState: OperationState = { ...stateOf(application), ...reached };
  delete operationState.finishedAt;
  return { ...application.status, operationState };
}
