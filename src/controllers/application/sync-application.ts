import {
  hasMultipleSources,
  sourcesOf,
  type Application,
  type ApplicationSource,
  type OperationState,
  type ResourceResult,
  type SyncOperation,
  type SyncOperationResult,
} from '../../model/index.ts';
import { parseTime } from '../../objects/index.ts';
import type { ApplicationMemory } from './application-memory.ts';
import { compare, type Comparison } from './compare.ts';
import type { ControllerContext } from './controller-context.ts';
import { runSyncStep, terminateSync, type SyncOutcome, type SyncProgress } from './run-sync.ts';
import { writeApplication } from './write-application.ts';

export type SyncResult =
  | { readonly kind: 'gone' }
  | { readonly kind: 'waiting'; readonly application: Application; readonly afterMs: number }
  | { readonly kind: 'ended'; readonly application: Application; readonly outcome: SyncOutcome };

/** How soon a sync that waits looks again, where no watch tells it to. */
const lookAgainMs = 5_000;
/** More steps than a sync has waves and phases: one that takes more goes round in a circle. */
const stepsMax = 10_000;

/** Carries out a sync step by step until it ends or has to wait. Each step is written down before the next is begun. */
export async function syncApplication(
  context: ControllerContext,
  begun: Application,
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<SyncResult> {
  let application = begun;
  for (let count = 0; count < stepsMax; count++) {
    const state = application.status?.operationState as OperationState;
    const plan = planComparison(application, state);
    const comparison = await compare(context, application, { ...plan, fresh: true, memory, signal });
    const broken = describeBroken(comparison);
    if (comparison.kind !== 'compared' || broken !== undefined)
      return { kind: 'ended', application, outcome: endBroken(context, state, broken ?? '') };
    const base = baseResult(comparison.target.revisions, plan);
    const run = { application, state, comparison, results: resultsOf(state), signal };
    const isOver = state.phase === 'Terminating' || isLate(context, state);
    const progress = isOver ? await terminateSync(context, run) : await runSyncStep(context, run);
    const syncResult = { ...base, ...(progress.results.length > 0 && { resources: [...progress.results] }) };
    if (progress.kind === 'ended') {
      const message = isLate(context, state) && isOver ? `${progress.message}, triggered by controller sync timeout` : progress.message;
      return { kind: 'ended', application, outcome: { phase: progress.phase, message, syncResult } };
    }
    const stored = await keep(context, application, { ...progress, syncResult }, signal);
    if (stored === undefined) return { kind: 'gone' };
    application = stored;
    if (progress.kind === 'waiting') return { kind: 'waiting', application, afterMs: lookAgainMs };
  }
  throw new Error('a sync took more steps than it can have');
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

function baseResult(revisions: readonly string[], { sources, isMultiple }: PlannedComparison): SyncOperationResult {
  if (isMultiple) return { revision: '', sources: [...sources], revisions: [...revisions] };
  return { revision: revisions[0] ?? '', ...(sources[0] && { source: sources[0] }) };
}

/** Why nothing can be synced, in the words of an operation; undefined where it can. */
function describeBroken(comparison: Comparison): string | undefined {
  const problems = comparison.kind === 'compared' ? comparison.problems.filter(({ type }) => type.endsWith('Error')) : comparison.problems;
  return problems.length === 0 ? undefined : problems.map(({ type, message }) => `${type}: ${message}`).join(';');
}

/** An operation that is to stop does so also where its cluster or its source does not answer. */
function endBroken(context: ControllerContext, state: OperationState, message: string): SyncOutcome {
  const kept = state.syncResult ? { syncResult: state.syncResult } : {};
  if (state.phase === 'Terminating' || isLate(context, state)) {
    const hasHooks = resultsOf(state).some(({ hookType, hookPhase }) => hookType && hookPhase === 'Running');
    return {
      phase: hasHooks ? 'Error' : 'Failed',
      message: hasHooks ? 'Operation termination had errors' : 'Operation terminated',
      ...kept,
    };
  }
  return { phase: 'Error', message, ...kept };
}

/** Whether an operation has had all the time that one may have. */
function isLate({ settings, clock }: ControllerContext, { startedAt }: OperationState): boolean {
  const { syncTimeoutSeconds } = settings.current.parameters;
  const startedMs = startedAt ? parseTime(startedAt) : undefined;
  return syncTimeoutSeconds > 0 && startedMs !== undefined && clock.nowMs() - startedMs > syncTimeoutSeconds * 1_000;
}

type Kept = Extract<SyncProgress, { kind: 'stepped' | 'waiting' }> & { readonly syncResult: SyncOperationResult };

function keep(
  context: ControllerContext,
  application: Application,
  { message, syncResult }: Kept,
  signal: AbortSignal,
): Promise<Application | undefined> {
  const state = application.status?.operationState as OperationState;
  const operationState: OperationState = { ...state, message, syncResult };
  delete operationState.finishedAt;
  return writeApplication(context, application, { status: { ...application.status, operationState } }, signal);
}
