import { ApiError, Code, mapBounded } from '../../base/index.ts';
import type { Cluster, LiveRow } from '../../clusters/index.ts';
import { annotations, hasOptionFor, isDeleteHook, isSelfReferenced, syncWaveOf } from '../../engine/index.ts';
import { applicationInstanceName, permitsLiveResource, type Application, type AppProject } from '../../model/index.ts';
import { formatTime, isStatusError, parseTime, type KubeObject } from '../../objects/index.ts';
import { describeDeletionFailure, recordApplicationEvents } from '../events/index.ts';
import { openActingCluster } from './acting-cluster.ts';
import { findProject, resolveCluster } from './check-spec.ts';
import { trackingRulesOf } from './compare-rules.ts';
import { mergeConditions } from './conditions.ts';
import type { ControllerContext } from './controller-context.ts';
import { cleanDeleteHooks, deleteHookCleanup, deleteHookFinalizer, runDeleteHooks, type DeleteHookType } from './delete-hooks.ts';
import { describeKind, findTroubles } from './find-troubles.ts';
import { isPassing, troubleLookMs } from './live-trouble.ts';
import { isSlim } from './slim-status.ts';
import { writeApplication } from './write-application.ts';

const CASCADE = 'resources-finalizer.argocd.argoproj.io';
const BACKGROUND = `${CASCADE}/background`;
const CASCADES: readonly string[] = [CASCADE, `${CASCADE}/foreground`, BACKGROUND];
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
  const own = finalizers.filter(isOurs);
  if (own.length === 0) return 'done';
  const cluster = resolveCluster(context, application);
  // Nobody can reach what is in a cluster that nobody knows: to hold on would keep the application for ever.
  if (typeof cluster === 'string') return release(context, application, own, signal);
  const name = application.spec.project || 'default';
  const project = findProject(context, name);
  if (project === undefined) {
    const missing = new ApiError(Code.NotFound, `appproject.argoproj.io "${name}" not found`);
    await tellFailure(context, application, missing.message, signal);
    throw missing;
  }
  try {
    const next = nextDuty(own);
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

interface Place {
  readonly project: AppProject;
  readonly cluster: Cluster;
  readonly signal: AbortSignal;
}

/** Deletes the objects of the last wave that has any, and says how many objects there are still. */
async function deleteResources(context: ControllerContext, application: Application, { project, cluster, signal }: Place): Promise<number> {
  await cluster.cache.whenSynced(signal);
  const instance = applicationInstanceName(application, context.namespace);
  requireComplete(cluster, application);
  const rows = [...cluster.cache.managed(instance).values()].filter((row) => isDeletable(context, application, row, { project, cluster }));
  const unconfirmed = rows.filter(({ body }) => needsConfirmation(application, body));
  if (unconfirmed.length > 0 && !isDeletionApproved(application)) {
    context.log.info('a deletion waits to be confirmed', { application: instance, resources: unconfirmed.length });
    return rows.length;
  }
  const { api } = openActingCluster(context, application, { project, cluster });
  const waves = rows.map(({ body }) => syncWaveOf(body));
  const last = Math.max(...waves);
  const propagation = application.metadata.finalizers?.includes(BACKGROUND) === true ? 'Background' : 'Foreground';
  const leaving = rows.filter(({ body }, index) => waves[index] === last && !body?.metadata.deletionTimestamp);
  const { applyParallelism } = context.settings.current.parameters;
  await mapBounded(leaving, applyParallelism === 0 ? Infinity : applyParallelism, async ({ type, namespace, name, uid }) => {
    try {
      const ref = { name, ...(namespace !== '' && { namespace }) };
      await api.delete(type, ref, { propagation, preconditions: { uid }, signal });
    } catch (error) {
      // Gone already, or another object of the same name, which is not ours.
      if (!isStatusError(error, 'NotFound', 'Conflict')) throw error;
    }
  });
  return rows.length;
}

/** What cannot be seen right now cannot be deleted, and must not be taken for gone. */
function requireComplete(cluster: Cluster, { status }: Application): void {
  // Where it is not written down of which kinds they are, any kind may be one of them.
  const [trouble] = isSlim(status) ? cluster.cache.troubles() : findTroubles(cluster.cache, status?.resources ?? []);
  if (trouble !== undefined)
    throw new ApiError(Code.Unavailable, `cannot tell which ${describeKind(trouble)} are left: ${trouble.trouble.message}`);
  const hidden = status?.resources?.find(({ group = '', kind = '', namespace = '' }) => cluster.cache.isHidden({ group, kind, namespace }));
  if (hidden !== undefined)
    throw new ApiError(
      Code.Unavailable,
      `cannot tell which ${hidden.kind ?? ''} of group "${hidden.group ?? ''}" are left: the cluster does not let us list them`,
    );
}

function isDeletable(
  context: ControllerContext,
  { metadata, spec }: Application,
  { type, namespace, name, body }: LiveRow,
  { project, cluster }: Omit<Place, 'signal'>,
): boolean {
  if (body === undefined || type.kind === 'CustomResourceDefinition' || isDeleteHook(body)) return false;
  const isItself =
    type.group === 'argoproj.io' && type.kind === 'Application' && name === metadata.name && namespace === metadata.namespace;
  if (isItself || !isSelfReferenced(body, undefined, trackingRulesOf(context.settings.current))) return false;
  if (isKept(body, spec.syncPolicy?.syncOptions ?? [])) return false;
  const surroundings = context.surroundingsOf(project.metadata.name ?? '');
  return permitsLiveResource(project, { group: type.group, kind: type.kind, namespace, name }, cluster, surroundings);
}

/** Nothing at all goes before somebody has said that this may. */
function needsConfirmation({ spec }: Application, object: KubeObject | undefined): boolean {
  const options = spec.syncPolicy?.syncOptions;
  return hasOptionFor(object, options, 'Delete=confirm') || hasOptionFor(object, options, 'Prune=confirm');
}

/** Whether it was said after the deletion had begun: an older word was about something else. */
function isDeletionApproved({ metadata }: Application): boolean {
  const approvedMs = parseTime(metadata.annotations?.[annotations.deletionApproved] ?? '');
  const deletedMs = metadata.deletionTimestamp ? parseTime(metadata.deletionTimestamp) : undefined;
  return approvedMs !== undefined && deletedMs !== undefined && approvedMs >= deletedMs;
}

function isKept(object: KubeObject, syncOptions: readonly string[]): boolean {
  if (object.metadata.annotations?.[annotations.helmResourcePolicy] === 'keep') return true;
  return hasOptionFor(object, syncOptions, 'Delete=false');
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
