import { ApiError, Code } from '../../base/index.ts';
import { withLimit, type WorkResult } from '../../kube/index.ts';
import { allowedChangesOf, effectivePolicy, findUnknownGenerators, readApplicationSet, type ApplicationSet } from '../../model/index.ts';
import type { OwnerReference } from '../../objects/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import { checkApplications, type CheckedApplications } from './check-applications.ts';
import type { Outcome } from './conditions.ts';
import { findBudgetProblem } from './deletion-budget.ts';
import type { DesiredApplication } from './desired-application.ts';
import { finalizeSet } from './finalize-set.ts';
import { generateApplications, GenerationError } from './generate-applications.ts';
import { createIgnore } from './ignore-differences.ts';
import { ownedApplications } from './owned-applications.ts';
import { planApplication } from './plan-application.ts';
import { deleteApplications, writeApplications, type PlannedWrite, type WriteFailures } from './write-applications.ts';
import { clearRefresh, refreshAnnotation, writeStatus } from './write-status.ts';

/** What this process remembers of an application set between two looks at it. Losing it costs only work. */
export interface SetMemory {
  /** The generation whose applications were all made, and deleted where they had to go. */
  settledGeneration: number | undefined;
}

/** After a failure that the object itself has to mend. */
const failedRequeueMs = 180_000;
/** For all generators together: a provider that never answers must not hold a place for ever. */
const generationLimitMs = 600_000;

const alwaysPreserved = ['notified.notifications.argoproj.io', 'argocd.argoproj.io/refresh', 'argocd.argoproj.io/hydrate'];

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
  const unknown = findUnknownGenerators(set);
  if (unknown !== undefined) context.log.warn('an application set has generators that are not known', { problem: unknown });
  let generated: readonly DesiredApplication[];
  try {
    generated = await generate(context, set, signal);
  } catch (error) {
    if (!(error instanceof GenerationError)) throw error;
    const { reason, message } = error;
    await fail(context, set, { kind: 'failed', reason, message, areParametersGenerated: false }, signal);
    return { requeueAfterMs: failedRequeueMs };
  }
  return settle(context, set, checkApplications(context, set, generated), memory, signal);
}

async function generate(context: ApplicationSetContext, set: ApplicationSet, signal: AbortSignal): Promise<readonly DesiredApplication[]> {
  const { generators, functions, timers, log, settings } = context;
  const options = {
    generators,
    functions,
    log,
    strictTokens: settings.current.parameters.appsetTokenRefStrict,
    fresh: set.metadata.annotations?.[refreshAnnotation] !== undefined,
  };
  try {
    return await withLimit({ timers, limitMs: generationLimitMs, signal }, (limited) =>
      generateApplications(set, { ...options, signal: limited }),
    );
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError) || error.code !== Code.DeadlineExceeded) throw error;
    throw new GenerationError('ApplicationGenerationFromParamsError', [error.message]);
  }
}

/** Writes what differs, deletes what is not wanted any more, and says how it went. */
async function settle(
  context: ApplicationSetContext,
  set: ApplicationSet,
  checked: CheckedApplications,
  memory: SetMemory,
  signal: AbortSignal,
): Promise<WorkResult> {
  const { parameters } = context.settings.current;
  const policy = effectivePolicy(set, parameters.appsetPolicy, parameters.appsetPolicyOverride ?? parameters.appsetPolicy === '');
  const allowed = allowedChangesOf(policy);
  const owned = ownedApplications(context, set);
  const isDryRun = parameters.appsetDryRun;

  const writable = allowed.update ? checked.valid : checked.valid.filter(({ name }) => !owned.has(name));
  const failures = isDryRun ? new Map<string, string>() : await write(context, set, writable, signal);
  if (failures.size > 0)
    throw await failWrite(context, set, allowed.update ? 'UpdateApplicationError' : 'CreateApplicationError', failures, signal);

  const superfluous = [...owned.values()].filter(({ metadata }) => !checked.names.has(metadata.name ?? ''));
  const going = allowed.delete && !isDryRun ? superfluous : [];
  const overBudget = findBudgetProblem({ set, owned, going, memory, budgetPercent: parameters.appsetDeletionBudgetPercent });
  if (overBudget !== undefined) {
    const outcome: Outcome = { kind: 'failed', reason: 'DeletionNeedsConfirmation', message: overBudget, areParametersGenerated: true };
    await writeStatus(context, set, { outcome, rollout: undefined, applications: ownedApplications(context, set).values() }, signal);
    await clearRefresh(context, set, signal);
    return { requeueAfterMs: failedRequeueMs };
  }
  const deleteFailures = await deleteApplications(context, set, going, signal);
  if (deleteFailures.size > 0) throw await failWrite(context, set, 'DeleteApplicationError', deleteFailures, signal);
  memory.settledGeneration = set.metadata.generation;

  const outcome: Outcome =
    checked.problem === undefined
      ? { kind: 'up-to-date' }
      : { kind: 'failed', reason: 'ApplicationValidationError', message: checked.problem, areParametersGenerated: true };
  const current = ownedApplications(context, set);
  await writeStatus(context, set, { outcome, rollout: undefined, applications: current.values(), applicationStatus: [] }, signal);
  await clearRefresh(context, set, signal);
  const requeueAfterMs = requeueOf(context, set) ?? (checked.problem === undefined ? undefined : failedRequeueMs);
  return requeueAfterMs === undefined ? 'done' : { requeueAfterMs };
}

async function write(
  context: ApplicationSetContext,
  set: ApplicationSet,
  desired: readonly DesiredApplication[],
  signal: AbortSignal,
): Promise<WriteFailures> {
  let writes: readonly PlannedWrite[];
  try {
    writes = planWrites(context, set, desired);
  } catch (error) {
    // What is to be ignored cannot be read: then nothing can be compared.
    if (error instanceof ApiError) return new Map([['', error.message]]);
    throw error;
  }
  return writeApplications(context, set, writes, signal);
}

function planWrites(context: ApplicationSetContext, set: ApplicationSet, desired: readonly DesiredApplication[]): readonly PlannedWrite[] {
  const { preservedFields } = set.spec;
  const { appsetPreservedAnnotations, appsetPreservedLabels } = context.settings.current.parameters;
  const ignoreFor = createIgnore(set);
  const rules = {
    namespace: set.metadata.namespace ?? '',
    owner: ownerReference(set),
    preservedAnnotations: new Set([...alwaysPreserved, ...(preservedFields?.annotations ?? []), ...appsetPreservedAnnotations]),
    preservedLabels: new Set([...(preservedFields?.labels ?? []), ...appsetPreservedLabels]),
  };
  return desired.map((application) => ({
    name: application.name,
    plan: (live) => planApplication(application, live, { ...rules, ignore: ignoreFor(application.name), operation: undefined }),
  }));
}

function ownerReference({ metadata }: ApplicationSet): OwnerReference {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

function requeueOf({ generators }: ApplicationSetContext, { spec }: ApplicationSet): number | undefined {
  const wishes = spec.generators.flatMap((entry) => generators.requeueAfterMs(entry) ?? []);
  return wishes.length === 0 ? undefined : Math.min(...wishes);
}

async function fail(context: ApplicationSetContext, set: ApplicationSet, outcome: Outcome, signal: AbortSignal): Promise<void> {
  await writeStatus(context, set, { outcome, rollout: undefined }, signal);
  await clearRefresh(context, set, signal);
}

/** Writes the failure of the first application by name down, and gives back what to throw, so that it is tried again. */
async function failWrite(
  context: ApplicationSetContext,
  set: ApplicationSet,
  reason: string,
  failures: WriteFailures,
  signal: AbortSignal,
): Promise<Error> {
  const [first = ''] = [...failures.keys()].sort();
  const message = failures.get(first) ?? '';
  await fail(context, set, { kind: 'failed', reason, message, areParametersGenerated: true }, signal);
  return new ApiError(Code.Unavailable, `${failures.size} applications of an application set could not be written: ${message}`);
}
