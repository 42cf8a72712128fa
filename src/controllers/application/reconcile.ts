import { backOffMs, type BackOffOptions } from '../../base/index.ts';
import type { WorkResult } from '../../kube/index.ts';
import { applicationType, readApplication, readPin, type Application } from '../../model/index.ts';
import { formatTime, isStatusError, parseTime, type KubeObject } from '../../objects/index.ts';
import { describeAutomatedSync, recordApplicationEvents, type StatusChanges } from '../events/index.ts';
import { openDraft, type ApplicationDraft } from './application-draft.ts';
import { requestRefresh, type ApplicationMemory } from './application-memory.ts';
import { automate, withAutomation } from './automate.ts';
import { buildStatus } from './build-status.ts';
import { compare, type Comparison } from './compare.ts';
import { nextTroubleLook } from './live-trouble.ts';
import type { ControllerContext } from './controller-context.ts';
import { withDeleteHookFinalizers } from './delete-hooks.ts';
import { finalize } from './finalize.ts';
import { localManifestsOf } from './local-target.ts';
import { operate } from './operate.ts';
import { planRefresh, type RefreshPlan } from './plan-refresh.ts';
import { StaleApplication } from './write-application.ts';

export const skipAnnotation = 'argocd.argoproj.io/skip-reconcile';

const conflictBackOff: BackOffOptions = { firstMs: 100, maxMs: 10_000 };

interface ReconcileContext extends ControllerContext {
  readonly statusChanges: StatusChanges;
}

/**
 * Brings one application to where it should be, from what is known of it now: lets it go if it is being deleted, carries out its operation,
 * compares it if there is reason to, writes down what it found, and starts a sync where its policy says so. Throws where trying again
 * later may help.
 */
export async function reconcile(
  context: ReconcileContext,
  ref: { readonly namespace: string; readonly name: string },
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<WorkResult> {
  // What has not been read yet must not be taken for what is not there.
  if (!context.projects.synced) return { requeueAfterMs: 1_000 };
  const object = context.applications.get(ref);
  if (object === undefined || !context.isNamespaceEnabled(ref.namespace)) return 'done';
  const application = readApplication(object);
  if (application.metadata.annotations?.[skipAnnotation] === 'true') return 'done';
  try {
    const result = await work(context, application, memory, signal);
    memory.conflicts = 0;
    return result;
  } catch (error) {
    if (error instanceof StaleApplication) return await catchUp(context, object, memory, signal);
    throw error;
  }
}

/**
 * Sees what somebody else wrote to an application since it was read. Whoever did makes it come here again, as soon as it is known here; to be
 * sure, it does so by itself, the later the more often in a row.
 */
async function catchUp(
  { applications, home, random }: ReconcileContext,
  { metadata }: KubeObject,
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<WorkResult> {
  const ref = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
  const isTold = (): boolean => applications.get(ref)?.metadata.resourceVersion !== metadata.resourceVersion;
  memory.conflicts += 1;
  const again = { requeueAfterMs: backOffMs(conflictBackOff, memory.conflicts, random) };
  if (isTold()) return again;
  try {
    const current = await home.get(applicationType, ref, { signal });
    // A watch that is well tells sooner than a request is answered.
    if (!isTold() && current.metadata.resourceVersion !== metadata.resourceVersion) applications.doubt();
    applications.noticeWrite(current);
    return again;
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return 'done';
    throw error;
  }
}

async function work(
  context: ReconcileContext,
  application: Application,
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<WorkResult> {
  const draft = openDraft(context, application, signal);
  try {
    const result = await pass(context, draft, memory, signal);
    // A sync that has just been decided on need not wait for its turn.
    return result === 'operation' ? await pass(context, draft, memory, signal).then(asResult) : result;
  } finally {
    await draft.close();
  }
}

type PassResult = WorkResult | 'operation';

/** A further operation is another turn: those who wait come first. */
function asResult(result: PassResult): WorkResult {
  return result === 'operation' ? { requeueAfterMs: 0 } : result;
}

async function pass(
  context: ReconcileContext,
  draft: ApplicationDraft,
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<PassResult> {
  const operated = await operate(context, draft, memory, signal);
  if (operated.kind === 'gone') return 'done';
  if (operated.kind === 'finished' && !operated.isDryRun)
    requestRefresh(memory, operated.isAutomated ? 'known-revision' : 'fresh-revision', context.clock.nowMs());
  if (draft.application.metadata.deletionTimestamp && operated.kind !== 'waiting') {
    const isThere = await draft.write();
    return isThere ? finalize(context, draft.application, signal) : 'done';
  }
  const result = await refresh(context, draft, memory, signal);
  if (operated.kind !== 'waiting' || result === 'operation') return result;
  return { requeueAfterMs: result === 'done' ? operated.afterMs : Math.min(operated.afterMs, result.requeueAfterMs) };
}

async function refresh(
  context: ReconcileContext,
  draft: ApplicationDraft,
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<PassResult> {
  const { application } = draft;
  const nowMs = context.clock.nowMs();
  const plan = planRefresh({ application, nowMs, ...memory });
  if (plan === undefined) return timeLeft(memory, nowMs);
  // What is asked for from here on is not answered by what is read from here on.
  memory.requested = undefined;
  memory.freshSinceMs = undefined;
  try {
    const startMs = context.timers.nowMs();
    const comparison = await compareAt(context, application, plan, memory, signal);
    const result = await record(context, draft, { plan, comparison, memory, signal });
    memory.isKnown = true;
    if (comparison.kind === 'compared') context.meter.onOrphans(application, comparison.orphans.length);
    context.meter.onReconciled(application, context.timers.nowMs() - startMs);
    return result;
  } catch (error) {
    requestRefresh(memory, plan.level, plan.sinceMs);
    throw error;
  }
}

/** Compares as a plan says, with what is remembered. */
export function compareAt(
  context: ControllerContext,
  application: Application,
  { level, hard, sinceMs }: RefreshPlan,
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<Comparison> {
  const { status = '', revision, revisions } = application.status?.sync ?? {};
  // A revision that could not be compared is not forgotten for an older one that could.
  const known = status === 'Unknown' ? [] : (revisions ?? (revision ? [revision] : []));
  if (hard) memory.desired = undefined;
  const pin = readPin(application, context.clock.nowMs());
  return compare(context, application, {
    revisions: pin?.revisions ?? (level === 'same-revision' ? known : []),
    fresh: level === 'fresh-revision',
    sinceMs,
    hard,
    manifests: localManifestsOf(application),
    isLook: true,
    memory,
    signal,
  });
}

interface Found {
  readonly plan: RefreshPlan;
  readonly comparison: Comparison;
  readonly memory: ApplicationMemory;
  readonly signal: AbortSignal;
}

/** Writes down what was found, where it is something new, and with it a sync where the policy of the application asks for one. */
async function record(context: ReconcileContext, draft: ApplicationDraft, found: Found): Promise<PassResult> {
  const { application } = draft;
  const { plan, comparison, memory, signal } = found;
  const nowMs = context.clock.nowMs();
  const lookMs = nextTroubleLook(comparison, memory);
  const { general, parameters } = context.settings.current;
  if (plan.level !== 'same-revision' || memory.comparedMs === undefined) {
    memory.comparedMs = nowMs;
    memory.expiryMs =
      general.reconciliationTimeoutMs > 0 ? general.reconciliationTimeoutMs + context.random() * general.reconciliationJitterMs : undefined;
  }
  if (isHidden(application, found, nowMs, parameters.renderErrorGraceSeconds * 1_000)) return timeLeft(memory, nowMs);
  const now = formatTime(nowMs);
  const status = buildStatus({
    application,
    comparison,
    namespace: context.namespace,
    now,
    isReconciled: mustShowTime(application),
    isHealthPersisted: parameters.healthPersisted,
    // The first look of a process that takes over changes no words; whoever asks, or looks again, gets ours.
    keepsWords: !memory.isKnown && plan.level !== 'fresh-revision',
  });
  const { plan: automation, againAfterMs } = await automate(context, { ...application, status }, { comparison, memory }, signal);
  const change = withAutomation({ ...application, status }, automation, nowMs, now);
  const { finalizers = [] } = application.metadata;
  const held = comparison.kind === 'compared' ? withDeleteHookFinalizers(finalizers, comparison.desired) : finalizers;
  // What ended is written before anything else begins.
  if (automation?.kind === 'sync' && !(await draft.write())) return 'done';
  const isThere = await draft.write({ ...change, finalizers: held, isRefreshed: true }, (stored) => {
    context.statusChanges.notice(stored, application.status);
    if (automation?.kind !== 'sync' || comparison.kind !== 'compared') return;
    recordApplicationEvents(context.events, stored, [describeAutomatedSync(comparison.target.revisions)]);
  });
  if (!isThere) return 'done';
  if (automation?.kind === 'sync') return 'operation';
  const expiry = timeLeft(memory, nowMs);
  const nextMs = lookMs === undefined ? againAfterMs : Math.min(againAfterMs ?? Infinity, lookMs);
  if (nextMs === undefined) return expiry;
  // Nothing else may happen until then, and what does not differ any more is not to be healed.
  requestRefresh(memory, 'same-revision', nowMs);
  return { requeueAfterMs: expiry === 'done' ? nextMs : Math.min(nextMs, expiry.requeueAfterMs) };
}

/** A failure to render may pass: for a while it is not shown, unless somebody asked. */
function isHidden(application: Application, { plan, comparison, memory }: Found, nowMs: number, graceMs: number): boolean {
  if (comparison.kind !== 'failed' || comparison.cause !== 'target') {
    memory.failingSinceMs = undefined;
    return false;
  }
  memory.failingSinceMs ??= nowMs;
  const isShown = application.status?.conditions?.some(({ type }) => type === 'ComparisonError') === true;
  return plan.level !== 'fresh-revision' && application.status?.sync !== undefined && !isShown && nowMs - memory.failingSinceMs < graceMs;
}

/**
 * Whether the time of the comparison is written down though nothing else changed: after a refresh that was asked for and after an operation,
 * as clients wait for it. A comparison by the clock that finds nothing new writes nothing.
 */
function mustShowTime({ metadata, status }: Application): boolean {
  if (metadata.annotations?.['argocd.argoproj.io/refresh'] !== undefined) return true;
  const finishedAt = status?.operationState?.finishedAt;
  const finishedMs = finishedAt ? parseTime(finishedAt) : undefined;
  const reconciledMs = status?.reconciledAt ? parseTime(status.reconciledAt) : undefined;
  return finishedMs !== undefined && (reconciledMs === undefined || reconciledMs < finishedMs);
}

/** When the comparison expires; never where that is switched off. A clock that was set back does not make it last longer. */
function timeLeft({ comparedMs, expiryMs }: ApplicationMemory, nowMs: number): WorkResult {
  if (comparedMs === undefined || expiryMs === undefined) return 'done';
  return { requeueAfterMs: Math.max(Math.min(comparedMs + expiryMs - nowMs, expiryMs), 1_000) };
}
