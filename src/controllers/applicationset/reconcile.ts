import { ApiError, Code } from '../../base/index.ts';
import { withLimit, type WorkResult } from '../../kube/index.ts';
import { allowedChangesOf, readApplicationSet, type Application, type ApplicationSet } from '../../model/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import { checkApplications, type CheckedApplications } from './check-applications.ts';
import type { Outcome } from './conditions.ts';
import { findBudgetProblem } from './deletion-budget.ts';
import type { DesiredApplication } from './desired-application.ts';
import { finalizeSet } from './finalize-set.ts';
import { generateApplications, GenerationError } from './generate-applications.ts';
import { ownedApplications } from './owned-applications.ts';
import { policyOf } from './policy-of.ts';
import { advanceRollout } from './rollout/advance-rollout.ts';
import { planWrites } from './plan-writes.ts';
import { deleteApplications, writeApplications, type WriteFailures } from './write-applications.ts';
import { clearRefresh, refreshAnnotation, writeStatus } from './write-status.ts';

/** What this process remembers of an application set between two looks at it. Losing it costs only work. */
export interface SetMemory {
  /** The generation whose applications were all made, and deleted where they had to go. */
  settledGeneration: number | undefined;
  /** A refresh was asked for, and could not be done: the next look asks anew, too. */
  owesRefresh: boolean;
  /** When the outside was last asked, whatever is remembered of it; on the clock that only goes forward. */
  askedMs: number | undefined;
}

/** After a failure that the object itself has to mend. */
const failedRequeueMs = 180_000;
/** For all generators together: a provider that never answers must not hold a place for ever. */
const generationLimitMs = 600_000;

/**
 * Brings the applications of one application set to where they should be, from what is known of them now. What cannot be generated is
 * written down, and changes nothing. Throws where trying again later may help.
 */
export async function reconcileSet(
  context: ApplicationSetContext,
  ref: { readonly namespace: string; readonly name: string },
  memory: SetMemory,
  signal: AbortSignal,
): Promise<WorkResult> {
  // What has not been read yet must not be taken for what is not there.
  if (!context.projects.synced || !context.applications.synced) return { requeueAfterMs: 1_000 };
  const object = context.applicationSets.get(ref);
  if (object === undefined || !context.isNamespaceEnabled(ref.namespace)) return 'done';
  const set = readApplicationSet(object);
  if (set.metadata.deletionTimestamp) return finalizeSet(context, set, signal);
  let generated: readonly DesiredApplication[];
  try {
    generated = await generate(context, set, memory, signal);
  } catch (error) {
    if (!(error instanceof GenerationError)) throw error;
    memory.owesRefresh ||= set.metadata.annotations?.[refreshAnnotation] !== undefined;
    const { reason, message } = error;
    await fail(context, set, { kind: 'failed', reason, message, areParametersGenerated: false }, signal);
    return { requeueAfterMs: failedRequeueMs };
  }
  try {
    return await settle(context, set, checkApplications(context, set, generated), memory, signal);
  } catch (error) {
    // What somebody wrote cannot be used, such as an expression of what is to be ignored: they are told.
    if (error instanceof ApiError && !signal.aborted)
      await fail(
        context,
        set,
        { kind: 'failed', reason: 'UpdateApplicationError', message: error.message, areParametersGenerated: true },
        signal,
      );
    throw error;
  }
}

/** Some applications could not be written, and that is written down. */
class WriteFailure extends Error {}

async function generate(
  context: ApplicationSetContext,
  set: ApplicationSet,
  memory: SetMemory,
  signal: AbortSignal,
): Promise<readonly DesiredApplication[]> {
  const { generators, functions, timers, log, settings } = context;
  const options = {
    generators,
    functions,
    timers,
    log,
    strictTokens: settings.current.parameters.appsetTokenRefStrict,
    fresh: memory.owesRefresh || set.metadata.annotations?.[refreshAnnotation] !== undefined || isDue(context, set, memory),
  };
  const askedMs = timers.nowMs();
  try {
    const generated = await withLimit({ timers, limitMs: generationLimitMs, signal }, (limited) =>
      generateApplications(set, { ...options, signal: limited }),
    );
    memory.owesRefresh = false;
    if (options.fresh) memory.askedMs = askedMs;
    return generated;
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError) || error.code !== Code.DeadlineExceeded) throw error;
    throw new GenerationError('ApplicationGenerationFromParamsError', [error.message]);
  }
}

/** What generators remember of the outside must not be older than they would like to be asked again. */
function isDue(context: ApplicationSetContext, set: ApplicationSet, { askedMs }: SetMemory): boolean {
  const everyMs = requeueOf(context, set);
  return everyMs !== undefined && (askedMs === undefined || context.timers.nowMs() - askedMs >= everyMs);
}

/** Writes what differs, deletes what is not wanted any more, and says how it went. */
async function settle(
  context: ApplicationSetContext,
  given: ApplicationSet,
  checked: CheckedApplications,
  memory: SetMemory,
  signal: AbortSignal,
): Promise<WorkResult> {
  const { parameters } = context.settings.current;
  const allowed = allowedChangesOf(policyOf(context, given));
  const owned = ownedApplications(context, given);
  const { set, desired, operations, news, isEarly } = await advanceRollout(context, given, { checked, owned, signal });

  let made: ReadonlyMap<string, Application> = new Map();
  if (!parameters.appsetDryRun) {
    const writable = allowed.update ? desired : desired.filter(({ name }) => !owned.has(name));
    const writes = planWrites(context, set, { desired: writable, operations });
    const { failures, written } = await writeApplications(context, set, writes, signal);
    made = written;
    if (failures.size > 0)
      throw await failWrite(
        context,
        { given, set },
        allowed.update ? 'UpdateApplicationError' : 'CreateApplicationError',
        failures,
        signal,
      );
  }
  const superfluous = [...owned.values()].filter(({ metadata }) => !checked.wanted.has(metadata.name ?? ''));
  const going = allowed.delete && !parameters.appsetDryRun ? superfluous : [];
  const overBudget = findBudgetProblem({ set, owned, going, memory, budgetPercent: parameters.appsetDeletionBudgetPercent });
  if (overBudget === undefined) {
    const failures = await deleteApplications(context, set, going, signal);
    if (failures.size > 0) throw await failWrite(context, { given, set }, 'DeleteApplicationError', failures, signal);
    if (!parameters.appsetDryRun) memory.settledGeneration = set.metadata.generation;
  }
  const outcome = outcomeOf(checked, overBudget);
  const applications = new Map([...made, ...ownedApplications(context, set)]).values();
  await writeStatus(context, set, { outcome, rollout: news, applications, ...(news === 'none' && { applicationStatus: [] }) }, signal);
  // A refresh that somebody asked for since then is still to be done.
  await clearRefresh(context, given, signal);
  if (isEarly) return { requeueAfterMs: 1_000 };
  const requeueAfterMs = requeueOf(context, set) ?? (outcome.kind === 'failed' ? failedRequeueMs : undefined);
  return requeueAfterMs === undefined ? 'done' : { requeueAfterMs };
}

function outcomeOf({ problem }: CheckedApplications, overBudget: string | undefined): Outcome {
  if (overBudget !== undefined)
    return { kind: 'failed', reason: 'DeletionNeedsConfirmation', message: overBudget, areParametersGenerated: true };
  if (problem === undefined) return { kind: 'up-to-date' };
  return { kind: 'failed', reason: 'ApplicationValidationError', message: problem, areParametersGenerated: true };
}

function requeueOf({ generators }: ApplicationSetContext, { spec }: ApplicationSet): number | undefined {
  const wishes = spec.generators.flatMap((entry) => generators.requeueAfterMs(entry) ?? []);
  return wishes.length === 0 ? undefined : Math.min(...wishes);
}

async function fail(context: ApplicationSetContext, set: ApplicationSet, outcome: Outcome, signal: AbortSignal): Promise<void> {
  await writeStatus(context, set, { outcome, rollout: 'same' }, signal);
  await clearRefresh(context, set, signal);
}

/** Writes the failure of the first application by name down, and gives back what to throw, so that it is tried again. */
async function failWrite(
  context: ApplicationSetContext,
  { given, set }: { readonly given: ApplicationSet; readonly set: ApplicationSet },
  reason: string,
  failures: WriteFailures,
  signal: AbortSignal,
): Promise<Error> {
  const [first = ''] = [...failures.keys()].sort();
  const message = failures.get(first) ?? '';
  await writeStatus(context, set, { outcome: { kind: 'failed', reason, message, areParametersGenerated: true }, rollout: 'same' }, signal);
  await clearRefresh(context, given, signal);
  return new WriteFailure(`${failures.size} applications of an application set could not be written: ${message}`);
}
