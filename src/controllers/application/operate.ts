import { hasMultipleSources, sourcesOf, type Application, type Operation, type OperationState } from '../../model/index.ts';
import { formatTime, parseTime } from '../../objects/index.ts';
import type { ApplicationMemory } from './application-memory.ts';
import type { ControllerContext } from './controller-context.ts';
import { mayRetry, retryDelayMs } from './plan-retry.ts';
import { recordHistory } from './record-history.ts';
import { runSync, type SyncOutcome } from './run-sync.ts';
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
  if (begun === undefined) return { kind: 'gone' };
  const state = begun.status?.operationState;
  if (state === undefined) return { kind: 'idle', application: begun };
  if (state.phase === 'Terminating') return finish(context, begun, state, { phase: 'Failed', message: 'Operation terminated' }, signal);
  if (state.finishedAt) {
    const waitMs = retryWait(context, state);
    if (waitMs > 0) return { kind: 'waiting', application: begun, afterMs: waitMs };
  }
  if (!operation.sync)
    return finish(context, begun, state, { phase: 'Error', message: 'Invalid operation request: no operation specified' }, signal);
  const outcome = await runSync(context, begun, state, memory, signal);
  return finish(context, begun, state, outcome, signal);
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

function retryWait({ clock }: ControllerContext, { finishedAt, operation, retryCount = 0 }: OperationState): number {
  const finishedMs = finishedAt ? parseTime(finishedAt) : undefined;
  if (finishedMs === undefined) return 0;
  return finishedMs + retryDelayMs(operation.retry, retryCount) - clock.nowMs();
}

/** Writes down how it ended; a failure that may be tried again stays a running operation. */
async function finish(
  context: ControllerContext,
  application: Application,
  state: OperationState,
  { phase, message, syncResult }: SyncOutcome,
  signal: AbortSignal,
): Promise<OperateResult> {
  const { operation } = state;
  const nowMs = context.clock.nowMs();
  const finishedAt = formatTime(nowMs);
  const { finishedAt: _before, ...rest } = state;
  const tried = state.retryCount ?? 0;
  const ended: OperationState = { ...rest, phase, message, finishedAt, ...(syncResult && { syncResult }) };
  const isTerminated = state.phase === 'Terminating';
  if (phase !== 'Succeeded' && !isTerminated && mayRetry(operation.retry, tried)) {
    const again = formatRetryTime(nowMs + retryDelayMs(operation.retry, tried));
    const text = `${message}. Retrying attempt #${tried + 1} at ${again}.`;
    const next: OperationState = { ...ended, phase: 'Running', message: text, retryCount: tried + 1 };
    const stored = await writeApplication(context, application, { status: { ...application.status, operationState: next } }, signal);
    if (stored === undefined) return { kind: 'gone' };
    return { kind: 'waiting', application: stored, afterMs: retryDelayMs(operation.retry, tried + 1) };
  }
  if (tried > 0 && phase !== 'Succeeded') ended.message = `${message} (retried ${tried} times).`;
  const isDryRun = operation.sync?.dryRun === true;
  const history = recordHistory(application, ended, finishedAt);
  const status = { ...application.status, operationState: ended, ...(history && { history }) };
  const stored = await writeApplication(context, application, { status, isOperationOver: true }, signal);
  if (stored === undefined) return { kind: 'gone' };
  context.log.info('an operation ended', {
    application: `${application.metadata.namespace}/${application.metadata.name}`,
    phase,
    outcome: ended.message ?? '',
    revisions: revisionsOf(application, ended).join(','),
  });
  return { kind: 'finished', application: stored, isAutomated: operation.initiatedBy?.automated === true, isDryRun };
}

function revisionsOf(application: Application, { syncResult }: OperationState): readonly string[] {
  if (!syncResult) return sourcesOf(application).map(({ targetRevision = '' }) => targetRevision);
  return hasMultipleSources(application) ? (syncResult.revisions ?? []) : [syncResult.revision];
}

function isCompleted(phase: string): boolean {
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Error';
}

/** `3:04PM`, as messages have always shown it. */
function formatRetryTime(timeMs: number): string {
  const date = new Date(timeMs);
  const hours = date.getUTCHours();
  const minutes = String(date.getUTCMinutes()).padStart(2, '0');
  return `${hours % 12 || 12}:${minutes}${hours < 12 ? 'AM' : 'PM'}`;
}
