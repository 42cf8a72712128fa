import { formatKitchenTime, mayRetry, retriedMessage, retryDelayMs, RetryDurationError, retryMessage } from '../../engine/index.ts';
import type { Application, Operation, OperationState } from '../../model/index.ts';
import { formatTime, parseTime } from '../../objects/index.ts';
import { describeOperationEnd, recordApplicationEvents } from '../events/index.ts';
import type { ApplicationMemory } from './application-memory.ts';
import type { ControllerContext } from './controller-context.ts';
import { timeLeftFor } from './operation-deadline.ts';
import { recordHistory } from './record-history.ts';
import { syncApplication } from './sync-application.ts';
import type { SyncOutcome } from './run-sync.ts';
import { writeApplication } from './write-application.ts';

export type OperateResult =
  | { readonly kind: 'idle'; readonly application: Application }
  | { readonly kind: 'gone' }
  /** It goes on after a while, or when something changes. */
  | { readonly kind: 'waiting'; readonly application: Application; readonly afterMs: number }
  /** It is over: the application has to be looked at anew. */
  | { readonly kind: 'finished'; readonly application: Application; readonly isAutomated: boolean; readonly isDryRun: boolean };

/**
 * Carries out the operation that an application asks for, as far as it goes now. What has been done is in `status.operationState`, so that
 * another process can go on where this one stops.
 */
export async function operate(
  context: ControllerContext,
  application: Application,
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<OperateResult> {
  const { operation } = application;
  if (!operation) return { kind: 'idle', application };
  const begun = await begin(context, application, operation, signal);
  const state = begun?.status?.operationState;
  if (begun === undefined || state === undefined) return { kind: 'gone' };
  const leftMs = timeLeftFor(context, state);
  const waitMs = state.phase === 'Terminating' ? 0 : Math.min(retryWait(context, state), leftMs);
  if (waitMs > 0) return { kind: 'waiting', application: begun, afterMs: waitMs };
  if (!operation.sync) {
    const outcome: SyncOutcome = { phase: 'Error', message: 'Invalid operation request: no operation specified' };
    return finish(context, begun, outcome, signal);
  }
  const synced = await syncApplication(context, begun, memory, signal);
  if (synced.kind === 'waiting') return synced;
  return finish(context, synced.application, synced.outcome, signal);
}

/** Writes down that the operation runs, before anything of it is done. */
async function begin(
  context: ControllerContext,
  application: Application,
  operation: Operation,
  signal: AbortSignal,
): Promise<Application | undefined> {
  const known = application.status?.operationState;
  if (known && !isCompleted(known.phase)) return application;
  const startedAt = formatTime(context.clock.nowMs());
  const operationState: OperationState = { operation, phase: 'Running', startedAt, message: '' };
  return writeApplication(context, application, { status: { ...application.status, operationState } }, signal);
}

/** How long an operation that failed waits before it is tried again; nothing for one that runs. */
function retryWait({ clock }: ControllerContext, { finishedAt, operation, retryCount = 0 }: OperationState): number {
  const finishedMs = finishedAt ? parseTime(finishedAt) : undefined;
  return finishedMs === undefined ? 0 : finishedMs + retryDelayMs(operation.retry, retryCount) - clock.nowMs();
}

/** Writes down how it ended; a failure that may be tried again stays a running operation. */
async function finish(
  context: ControllerContext,
  application: Application,
  outcome: SyncOutcome,
  signal: AbortSignal,
): Promise<OperateResult> {
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
  const stored = await writeApplication(context, application, { status, isOperationOver: retry === undefined }, signal);
  if (stored === undefined) return { kind: 'gone' };
  if (retry !== undefined) return { kind: 'waiting', application: stored, afterMs: retry.afterMs };
  context.log.info('an operation ended', {
    application: `${application.metadata.namespace ?? ''}/${application.metadata.name ?? ''}`,
    phase,
    outcome: ended.message,
    revision: syncResult?.revision || (syncResult?.revisions ?? []).join(','),
  });
  recordApplicationEvents(context.events, stored, [describeOperationEnd(stored, ended)]);
  context.meter.onOperationEnded(stored, ended);
  const isAutomated = operation.initiatedBy?.automated === true;
  return { kind: 'finished', application: stored, isAutomated, isDryRun: operation.sync?.dryRun === true };
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
