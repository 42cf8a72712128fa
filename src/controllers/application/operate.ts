import {
  formatKitchenTime,
  mayRetry,
  restartMessage,
  retriedMessage,
  retryDelayMs,
  RetryDurationError,
  retryMessage,
} from '../../engine/index.ts';
import type { Application, Operation, OperationState } from '../../model/index.ts';
import { formatTime, parseTime } from '../../objects/index.ts';
import { describeOperationEnd, recordApplicationEvents } from '../events/index.ts';
import type { ApplicationDraft } from './application-draft.ts';
import type { ApplicationMemory } from './application-memory.ts';
import { beginOperation } from './begin-operation.ts';
import type { ControllerContext } from './controller-context.ts';
import { timeLeftFor } from './operation-deadline.ts';
import { recordHistory } from './record-history.ts';
import type { SyncOutcome } from './run-sync.ts';
import { syncApplication, type SyncEnd } from './sync-application.ts';

export type OperateResult =
  | { readonly kind: 'idle' }
  | { readonly kind: 'gone' }
  /** It goes on after a while, or when something changes. */
  | { readonly kind: 'waiting'; readonly afterMs: number }
  /** It is over: the application has to be looked at anew. */
  | { readonly kind: 'finished'; readonly isAutomated: boolean; readonly isDryRun: boolean };

/**
 * Carries out the operation that an application asks for, as far as it goes now. What has been done is in `status.operationState`, so that
 * another process can go on where this one stops. An operation that could be done once more without harm may be over before it is written
 * down that it runs.
 */
export async function operate(
  context: ControllerContext,
  draft: ApplicationDraft,
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<OperateResult> {
  const { operation } = draft.application;
  if (!operation) return { kind: 'idle' };
  const state = begin(context, draft, operation);
  const leftMs = timeLeftFor(context, state);
  const waitMs = state.phase === 'Terminating' ? 0 : Math.min(retryWait(context, state), leftMs);
  if (waitMs > 0) return { kind: 'waiting', afterMs: waitMs };
  // One that is to stop has nothing to begin anew.
  if (state.finishedAt && state.phase === 'Running' && leftMs > 0 && !(await restart(draft, state))) return { kind: 'gone' };
  if (!operation.sync) {
    const outcome: SyncOutcome = { phase: 'Error', message: 'Invalid operation request: no operation specified' };
    return finish(context, draft, { outcome, isRepeatable: true });
  }
  const synced = await syncApplication(context, draft, memory, signal);
  return synced.kind === 'ended' ? finish(context, draft, synced) : synced;
}

function begin({ clock }: ControllerContext, draft: ApplicationDraft, operation: Operation): OperationState {
  const { status } = draft.application;
  const known = status?.operationState;
  if (known && !isCompleted(known.phase)) return known;
  const operationState = beginOperation(operation, formatTime(clock.nowMs()));
  draft.note({ status: { ...status, operationState } });
  return operationState;
}

/** Writes down that an operation is tried again. What was done before counts no more, and its revisions only where no newer ones are wanted. */
async function restart(draft: ApplicationDraft, state: OperationState): Promise<boolean> {
  const { finishedAt: _finishedAt, syncResult, ...rest } = state;
  const isFresh = state.operation.retry?.refresh === true;
  const operationState: OperationState = { ...rest, message: restartMessage(state.retryCount ?? 0, isFresh) };
  if (syncResult && !isFresh) {
    const { resources: _resources, ...pinned } = syncResult;
    operationState.syncResult = pinned;
  }
  return draft.write({ status: { ...draft.application.status, operationState } });
}

/**
 * How long an operation that failed waits before it is tried again; nothing for one that runs, and for one that failed in the future: the clock
 * was set back since, and nobody knows how long ago it was.
 */
function retryWait({ clock }: ControllerContext, { finishedAt, operation, retryCount = 0 }: OperationState): number {
  const finishedMs = finishedAt ? parseTime(finishedAt) : undefined;
  const nowMs = clock.nowMs();
  return finishedMs === undefined || finishedMs > nowMs ? 0 : finishedMs + retryDelayMs(operation.retry, retryCount) - nowMs;
}

/** Notes or writes down how it ended; a failure that may be tried again stays a running operation. */
async function finish(context: ControllerContext, draft: ApplicationDraft, { outcome, isRepeatable }: SyncEnd): Promise<OperateResult> {
  const { application } = draft;
  const state = application.status?.operationState as OperationState;
  const { operation, retryCount = 0 } = state;
  const { phase, message, syncResult } = outcome;
  const nowMs = context.clock.nowMs();
  const finishedAt = formatTime(nowMs);
  const isOver = phase === 'Succeeded' || state.phase === 'Terminating' || timeLeftFor(context, state) === 0;
  const retry = isOver ? undefined : planRetry(operation, retryCount, message, nowMs);
  const { finishedAt: _before, ...rest } = state;
  const ended: OperationState = { ...rest, phase, finishedAt, ...(syncResult && { syncResult }), ...retry?.state };
  if (retry === undefined) ended.message = phase === 'Succeeded' ? message : retriedMessage(message, retryCount);
  const history = retry === undefined ? recordHistory(application, ended, finishedAt) : undefined;
  const status = { ...application.status, operationState: ended, ...(history && { history }) };
  if (retry !== undefined) return (await draft.write({ status })) ? { kind: 'waiting', afterMs: retry.afterMs } : { kind: 'gone' };
  draft.note({ status, isOperationOver: true }, (stored) => tellEnd(context, stored, ended));
  // The comparison that follows is written with it, unless to begin the operation again would do harm.
  if (!isRepeatable && !(await draft.write())) return { kind: 'gone' };
  return { kind: 'finished', isAutomated: operation.initiatedBy?.automated === true, isDryRun: operation.sync?.dryRun === true };
}

function tellEnd(context: ControllerContext, application: Application, state: OperationState): void {
  const { phase, message, syncResult } = state;
  context.log.info('an operation ended', {
    application: `${application.metadata.namespace ?? ''}/${application.metadata.name ?? ''}`,
    phase,
    outcome: message,
    revision: syncResult?.revision || (syncResult?.revisions ?? []).join(','),
  });
  recordApplicationEvents(context.events, application, [describeOperationEnd(application, state)]);
  context.meter.onOperationEnded(application, state);
}

interface Retry {
  readonly state: Pick<OperationState, 'phase' | 'message' | 'retryCount'>;
  readonly afterMs: number;
}

function planRetry({ retry }: Operation, retryCount: number, message: string, nowMs: number): Retry | undefined {
  if (!mayRetry(retry, retryCount)) return undefined;
  try {
    // What is shown has always been one factor less than what is waited.
    const shownAt = formatKitchenTime(nowMs + retryDelayMs(retry, retryCount));
    const text = retryMessage(message, retryCount + 1, shownAt);
    return { state: { phase: 'Running', message: text, retryCount: retryCount + 1 }, afterMs: retryDelayMs(retry, retryCount + 1) };
  } catch (error) {
    if (error instanceof RetryDurationError) return undefined;
    throw error;
  }
}

function isCompleted(phase: string): boolean {
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Error';
}
