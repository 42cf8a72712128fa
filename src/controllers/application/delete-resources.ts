import { ApiError, Code, mapBounded } from '../../base/index.ts';
import type { Cluster, LiveRow } from '../../clusters/index.ts';
import { annotations, hasOptionFor, isDeleteHook, isSelfReferenced, syncWaveOf, trackingOf } from '../../engine/index.ts';
import type { ObjectRef } from '../../kube/index.ts';
import { applicationInstanceName, permitsLiveResource, type Application, type AppProject, type ResourceStatus } from '../../model/index.ts';
import { isObjectMissing, isStatusError, parseTime, type KubeObject } from '../../objects/index.ts';
import { openActingCluster } from './acting-cluster.ts';
import { trackingRulesOf } from './compare-rules.ts';
import type { ControllerContext } from './controller-context.ts';
import { describeKind, findTroubles } from './find-troubles.ts';
import { findType } from './find-type.ts';
import { isSlim } from './slim-status.ts';

/** Says that what an object owns need not be gone before it. */
export const backgroundFinalizer = 'resources-finalizer.argocd.argoproj.io/background';

export interface Place {
  readonly project: AppProject;
  readonly cluster: Cluster;
  readonly signal: AbortSignal;
}

/** An object that may have to go with its application. */
type Leaving = Pick<LiveRow, 'type' | 'namespace' | 'name' | 'uid' | 'body'>;

/** Deletes the objects of the last wave that has any, and says how many objects there are still. */
export async function deleteResources(context: ControllerContext, application: Application, place: Place): Promise<number> {
  const { project, cluster, signal } = place;
  await cluster.cache.whenSynced(signal);
  const instance = applicationInstanceName(application, context.namespace);
  // Definitions never go with an application: nobody has to see them.
  const listed = (application.status?.resources ?? []).filter((entry) => !isDefinition(entry));
  requireComplete(cluster, application, listed);
  const hidden = await readHidden(context, application, listed, place);
  const rows: readonly Leaving[] = [...cluster.cache.managed(instance).values(), ...hidden].filter((row) =>
    isDeletable(context, application, row, place),
  );
  const unconfirmed = rows.filter(({ body }) => needsConfirmation(application, body));
  if (unconfirmed.length > 0 && !isDeletionApproved(application)) {
    context.log.info('a deletion waits to be confirmed', { application: instance, resources: unconfirmed.length });
    return rows.length;
  }
  const { api } = openActingCluster(context, application, { project, cluster });
  const waves = rows.map(({ body }) => syncWaveOf(body));
  const last = Math.max(...waves);
  const propagation = application.metadata.finalizers?.includes(backgroundFinalizer) === true ? 'Background' : 'Foreground';
  const leaving = rows.filter(({ body }, index) => waves[index] === last && !body?.metadata.deletionTimestamp);
  await mapBounded(leaving, parallelismOf(context), async ({ type, namespace, name, uid }) => {
    try {
      await api.delete(type, refOf({ namespace, name }), { propagation, preconditions: { uid }, signal });
    } catch (error) {
      // Gone already, or another object of the same name, which is not ours.
      if (!isStatusError(error, 'NotFound', 'Conflict')) throw error;
    }
  });
  return rows.length;
}

function parallelismOf({ settings }: ControllerContext): number {
  const { applyParallelism } = settings.current.parameters;
  return applyParallelism === 0 ? Infinity : applyParallelism;
}

function refOf({ namespace, name }: { readonly namespace: string; readonly name: string }): ObjectRef {
  return { name, ...(namespace !== '' && { namespace }) };
}

/** What cannot be seen right now cannot be deleted, and must not be taken for gone. */
function requireComplete({ cache }: Cluster, { status }: Application, listed: readonly ResourceStatus[]): void {
  // Where it is not written down of which kinds they are, any kind may be one of them.
  const [trouble] = isSlim(status) ? cache.troubles() : findTroubles(cache, listed);
  if (trouble !== undefined)
    throw new ApiError(Code.Unavailable, `cannot tell which ${describeKind(trouble)} are left: ${trouble.trouble.message}`);
}

/** What is left of the application of kinds that the cluster does not let us list: each object that it is known to have had is asked for. */
async function readHidden(
  context: ControllerContext,
  application: Application,
  listed: readonly ResourceStatus[],
  { cluster, signal }: Place,
): Promise<readonly Leaving[]> {
  const rules = trackingRulesOf(context.settings.current);
  const instance = applicationInstanceName(application, context.namespace);
  const hidden = listed.filter(({ group = '', kind = '', namespace = '' }) => cluster.cache.isHidden({ group, kind, namespace }));
  const answers = await mapBounded(hidden, parallelismOf(context), (entry) => readListed(cluster, entry, signal));
  const at = answers.indexOf('forbidden');
  const { kind = '', namespace = '', name = '' } = hidden[at] ?? {};
  // No time mends what we may do: it is asked for less and less often.
  if (at >= 0)
    throw new ApiError(
      Code.PermissionDenied,
      `cannot tell whether ${kind} ${[namespace, name].filter(Boolean).join('/')} is left: the cluster lets us neither list its kind nor read it`,
    );
  // What has an owner goes with that, and what says that it is of somebody else, or of nobody, stays.
  const isOwn = ({ body }: Leaving): boolean =>
    body !== undefined && (body.metadata.ownerReferences ?? []).length === 0 && trackingOf(body, rules)?.instanceName === instance;
  return answers.filter((answer) => typeof answer === 'object').filter(isOwn);
}

async function readListed(cluster: Cluster, entry: ResourceStatus, signal: AbortSignal): Promise<Leaving | 'gone' | 'forbidden'> {
  const { group = '', version = '', kind = '', namespace = '', name = '' } = entry;
  try {
    const type = await findType(cluster, { group, version, kind }, signal);
    const body = await cluster.api.get(type, refOf({ namespace, name }), { signal });
    return { type, namespace, name, uid: body.metadata.uid ?? '', body };
  } catch (error) {
    if (isObjectMissing(error)) return 'gone';
    if (isStatusError(error, 'Forbidden')) return 'forbidden';
    throw error;
  }
}

export function isDefinition({ group = '', kind = '' }: { readonly group?: string; readonly kind?: string }): boolean {
  return group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
}

function isDeletable(
  context: ControllerContext,
  { metadata, spec }: Application,
  { type, namespace, name, body }: Leaving,
  { project, cluster }: Omit<Place, 'signal'>,
): boolean {
  if (body === undefined || isDefinition(type) || isDeleteHook(body)) return false;
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
