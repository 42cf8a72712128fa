import { ApiError, Code } from '../../base/index.ts';
import type { Application } from '../../model/index.ts';
import { formatTime, isStatusError } from '../../objects/index.ts';
import { describeDeletionFailure, recordApplicationEvents } from '../events/index.ts';
import { describeRefusedNamespace, findProject, resolveCluster, withInherited } from './check-spec.ts';
import { mergeConditions } from './conditions.ts';
import type { ControllerContext } from './controller-context.ts';
import { cleanDeleteHooks, deleteHookCleanup, deleteHookFinalizer, runDeleteHooks, type DeleteHookType } from './delete-hooks.ts';
import { backgroundFinalizer, deleteResources, type Place } from './delete-resources.ts';
import { isPassing, troubleLookMs } from './live-trouble.ts';
import { writeApplication } from './write-application.ts';

const CASCADE = 'resources-finalizer.argocd.argoproj.io';
const CASCADES: readonly string[] = [CASCADE, `${CASCADE}/foreground`, backgroundFinalizer];
const HOOKS: readonly string[] = (['PreDelete', 'PostDelete'] as const).flatMap((type) => [
  deleteHookFinalizer(type),
  deleteHookCleanup(type),
]);

/** How soon an object that is on its way out is looked at again, where no watch tells of its end. */
const lookAgainMs = 5_000;

export type FinalizeResult = 'done' | { readonly requeueAfterMs: number };

/** Does what an application that is being deleted asks for, one thing after the other, and lets it go when that is done. */
export async function finalize(context: ControllerContext, application: Application, signal: AbortSignal): Promise<FinalizeResult> {
  const { finalizers = [] } = application.metadata;
  const duties = finalizers.filter(isOurs);
  if (duties.length === 0) return 'done';
  const cluster = resolveCluster(context, application);
  if (typeof cluster === 'string') {
    // Nobody can reach what is in a cluster that nobody knows: to hold on would keep the application for ever.
    if (!context.clusters.isRegistered(application.spec.destination)) return release(context, application, duties, signal);
    // A Secret that cannot be read for now, or a name that another cluster was given too, does not make it one that nobody knows.
    const message = `the destination is registered and cannot be used: ${cluster}`;
    await tellFailure(context, application, message, signal);
    throw new ApiError(Code.FailedPrecondition, message);
  }
  const name = application.spec.project || 'default';
  const own = findProject(context, name);
  if (own === undefined) {
    const missing = new ApiError(Code.NotFound, `appproject.argoproj.io "${name}" not found`);
    await tellFailure(context, application, missing.message, signal);
    throw missing;
  }
  const refusal = describeRefusedNamespace(context, application, own);
  if (refusal !== undefined) {
    await tellFailure(context, application, refusal, signal);
    throw new ApiError(Code.PermissionDenied, refusal);
  }
  const project = withInherited(context, own);
  try {
    const next = nextDuty(duties);
    if (!(await fulfil(context, application, next, { project, cluster, signal }))) return { requeueAfterMs: lookAgainMs };
    // What is done is taken off, so that it is not done again; the rest follows when that is seen.
    return await release(context, application, next.finalizers, signal);
  } catch (error) {
    if (!isStatusError(error) && !(error instanceof ApiError)) throw error;
    await tellFailure(context, application, error.message, signal);
    if (isPassing(error)) return { requeueAfterMs: troubleLookMs };
    throw error;
  }
}

interface Duty {
  readonly kind: 'cascade' | 'run' | 'clean';
  readonly type: DeleteHookType;
  readonly finalizers: readonly string[];
}

/** Hooks before, the resources, hooks after, and then what is left of both. */
function nextDuty(own: readonly string[]): Duty {
  const has = (finalizer: string): boolean => own.includes(finalizer);
  const hooks = (kind: 'run' | 'clean', type: DeleteHookType): Duty => ({
    kind,
    type,
    finalizers: [kind === 'run' ? deleteHookFinalizer(type) : deleteHookCleanup(type)],
  });
  if (has(deleteHookFinalizer('PreDelete'))) return hooks('run', 'PreDelete');
  const cascades = own.filter((finalizer) => CASCADES.includes(finalizer));
  if (cascades.length > 0) return { kind: 'cascade', type: 'PreDelete', finalizers: cascades };
  if (has(deleteHookFinalizer('PostDelete'))) return hooks('run', 'PostDelete');
  return hooks('clean', has(deleteHookCleanup('PreDelete')) ? 'PreDelete' : 'PostDelete');
}

/** True when there is nothing left to do for it. */
async function fulfil(context: ControllerContext, application: Application, { kind, type }: Duty, place: Place): Promise<boolean> {
  if (kind === 'run') return runDeleteHooks(context, application, type, place.signal);
  if (kind === 'clean') return cleanDeleteHooks(context, application, type, place.signal);
  return (await deleteResources(context, application, place)) === 0;
}

function isOurs(finalizer: string): boolean {
  return CASCADES.includes(finalizer) || HOOKS.includes(finalizer);
}

async function release(
  context: ControllerContext,
  application: Application,
  own: readonly string[],
  signal: AbortSignal,
): Promise<FinalizeResult> {
  const finalizers = (application.metadata.finalizers ?? []).filter((finalizer) => !own.includes(finalizer));
  await writeApplication(context, application, { finalizers }, signal);
  return 'done';
}

async function tellFailure(context: ControllerContext, application: Application, message: string, signal: AbortSignal): Promise<void> {
  const now = formatTime(context.clock.nowMs());
  const found = [{ type: 'DeletionError', message }];
  // What is tried again and fails again for the same reason has been told.
  const isTold = application.status?.conditions?.some((known) => known.type === 'DeletionError' && known.message === message) === true;
  if (!isTold) recordApplicationEvents(context.events, application, [describeDeletionFailure(message)]);
  const conditions = mergeConditions(application.status?.conditions ?? [], found, new Set(['DeletionError']), now);
  await writeApplication(context, application, { status: { ...application.status, conditions } }, signal);
}
