import {
  describePin,
  nextWindowChange,
  readPin,
  windowsFor,
  type Application,
  type ApplicationCondition,
  type ApplicationStatus,
} from '../../model/index.ts';
import type { ApplicationMemory } from './application-memory.ts';
import { askWindows } from './ask-windows.ts';
import { findSameAttempt } from './attempted-target.ts';
import { beginOperation } from './begin-operation.ts';
import type { Comparison } from './compare.ts';
import { mergeConditions } from './conditions.ts';
import type { ControllerContext } from './controller-context.ts';
import { deletionBudgetOf } from './deletion-budget.ts';
import { describeHealLoop, findHealLoop, readHeals, rememberHeal, withHeals } from './heal-loop.ts';
import type { Target } from './load-target.ts';
import { planAutoSync, type AutoSyncPlan } from './plan-auto-sync.ts';
import type { ApplicationChange } from './write-application.ts';

/** What the policy of an application asks for. */
export interface Automation {
  /** Undefined where nobody may decide now: what was found before stays. */
  readonly plan: AutoSyncPlan | undefined;
  /** When something may be decided otherwise, although nothing happens until then. */
  readonly againAfterMs: number | undefined;
}

/** Decides with what a comparison has found; the application has the status that follows from it. */
export async function automate(
  context: ControllerContext,
  application: Application,
  { comparison, memory }: { readonly comparison: Comparison; readonly memory: ApplicationMemory },
  signal: AbortSignal,
): Promise<Automation> {
  const nowMs = context.clock.nowMs();
  const { automated } = application.spec.syncPolicy ?? {};
  if (comparison.kind !== 'compared') return { plan: undefined, againAfterMs: undefined };
  const pinEndMs = readPin(application, nowMs)?.untilMs;
  if (!automated || automated.enabled === false) return { plan: { kind: 'none' }, againAfterMs: after(nowMs, pinEndMs) };
  const changeMs = nextWindowChange(windowsFor(application, comparison.project.spec.syncWindows ?? []), nowMs);
  const againAfterMs = after(nowMs, changeMs, pinEndMs);
  if (!askWindows(application, comparison.project, { nowMs, isManual: false }).isOpen) return { plan: undefined, againAfterMs };
  const plan = decide(context, application, comparison.target, memory);
  if (plan.kind === 'later') return { plan, againAfterMs: after(nowMs, nowMs + plan.afterMs, changeMs, pinEndMs) };
  if (plan.kind !== 'sync' || !isHeal(plan)) return { plan, againAfterMs };
  const limit = context.settings.current.parameters.selfHealLoopLimit;
  const heals = readHeals(application);
  const loop = findHealLoop(heals, comparison.result.resources, { nowMs, limit });
  if (loop === undefined && limit <= 0) return { plan, againAfterMs };
  if (loop === undefined) {
    const operation = withHeals(plan.operation, rememberHeal(heals, comparison.result.resources, nowMs));
    return { plan: { kind: 'sync', operation }, againAfterMs };
  }
  const message = await describeHealLoop(loop, comparison.cluster, signal);
  return { plan: { kind: 'refused', message }, againAfterMs: after(nowMs, loop.untilMs, changeMs, pinEndMs) };
}

function isHeal({ operation }: Extract<AutoSyncPlan, { kind: 'sync' }>): boolean {
  return (operation.sync?.autoHealAttemptsCount ?? 0) > 0;
}

/** How long until the first of some times; undefined where there is none ahead. */
function after(nowMs: number, ...times: readonly (number | undefined)[]): number | undefined {
  const ahead = times.filter((time): time is number => time !== undefined && time > nowMs);
  return ahead.length === 0 ? undefined : Math.min(...ahead) - nowMs;
}

function decide({ settings, clock }: ControllerContext, application: Application, target: Target, memory: ApplicationMemory): AutoSyncPlan {
  const { selfHealBackOffSeconds, selfHealBackOffFactor, selfHealBackOffCapSeconds, deletionBudget } = settings.current.parameters;
  const syncStatus = application.status?.sync?.status ?? '';
  return planAutoSync({
    application,
    syncStatus,
    resources: application.status?.resources ?? [],
    revisions: target.revisions,
    // Objects are not read to find out what nobody asks.
    sameAs: syncStatus === 'OutOfSync' ? findSameAttempt(target, memory) : undefined,
    nowMs: clock.nowMs(),
    selfHeal: { firstMs: selfHealBackOffSeconds * 1_000, factor: selfHealBackOffFactor, maxMs: selfHealBackOffCapSeconds * 1_000 },
    deletionBudget: deletionBudgetOf(application, deletionBudget),
  });
}

/** What is written down of it: an operation, or why there is none; and that the application is held, where it is. */
export function withAutomation(application: Application, plan: AutoSyncPlan | undefined, nowMs: number, now: string): ApplicationChange {
  const status = withPin(application, nowMs, now);
  if (plan === undefined) return { status };
  const found = plan.kind === 'refused' ? [{ type: 'SyncError', message: plan.message }] : [];
  const next = withConditions(status, mergeConditions(status.conditions ?? [], found, new Set(['SyncError']), now));
  if (plan.kind !== 'sync') return { status: next };
  // It is written in one go that it is to be done and that it has begun: nothing of it is left of the one before.
  return { status: { ...next, operationState: beginOperation(plan.operation, now) }, operation: plan.operation };
}

function withPin(application: Application, nowMs: number, now: string): ApplicationStatus {
  const { status = {} } = application;
  const pin = readPin(application, nowMs);
  const found = pin === undefined ? [] : [{ type: 'PinnedWarning', message: describePin(pin) }];
  return withConditions(status, mergeConditions(status.conditions ?? [], found, new Set(['PinnedWarning']), now));
}

function withConditions(status: ApplicationStatus, conditions: readonly ApplicationCondition[]): ApplicationStatus {
  const { conditions: _before, ...rest } = status;
  return { ...rest, ...(conditions.length > 0 && { conditions: [...conditions] }) };
}
