import type { Timers } from '../../base/index.ts';
import type { DiscoveredResource, KubeApi, Patch, ResourceType, WriteOptions } from '../../kube/index.ts';
import {
  builtinSchema,
  createThreeWayMergePatch,
  createThreeWayStrategicMergePatch,
  isJsonObject,
  isStatusError,
  objectAt,
  StatusError,
  textAt,
  type JsonObject,
  type KubeObject,
} from '../../objects/index.ts';
import { FIELD_MANAGER } from './controller-context.ts';
import { createWhenGone } from './create-when-gone.ts';
import { lastAppliedOf, withLastApplied } from './last-applied.ts';

export interface ApplyOptions {
  readonly api: KubeApi;
  readonly type: ResourceType;
  readonly desired: KubeObject;
  readonly live: KubeObject | undefined;
  readonly mode: 'client-side' | 'server-side' | 'replace';
  /** Delete and create again what the API refuses to change. */
  readonly force: boolean;
  /** Whether fields that the kind does not have are refused. */
  readonly validate: boolean;
  readonly dryRun: boolean;
  /** Whether an object that turns out to be there is what an earlier try has made; it stays as it is. */
  readonly isOwn?: (found: KubeObject) => boolean;
  readonly timers: Timers;
  readonly signal: AbortSignal;
}

export interface Applied {
  /** As `kubectl` says it, such as `deployment.apps/web configured`. */
  readonly message: string;
  /** As the API holds it afterwards. */
  readonly object: KubeObject;
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** How often an object that somebody else creates or deletes at the same moment is looked at anew. */
const ATTEMPTS_MAX = 3;

/**
 * Brings one object to what is desired, with one request, or with none where nothing would change; with more only where it has to be deleted
 * first. Throws what the API refuses.
 */
export async function applyObject(options: ApplyOptions): Promise<Applied> {
  let { live } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyOnce({ ...options, live });
    } catch (error) {
      const isRace = isStatusError(error, 'AlreadyExists') || (live !== undefined && isStatusError(error, 'NotFound', 'Conflict'));
      if (!isRace || attempt === ATTEMPTS_MAX) throw withHint(error, options);
      live = await readLive(options);
      if (live !== undefined && options.isOwn?.(live) === true)
        return { message: describeWrite(options.type, live, 'created', options), object: live };
    }
  }
}

/** What does not fit is mostly the record that a client keeps of what it applied: a server needs none. */
function withHint(error: unknown, { mode }: ApplyOptions): unknown {
  if (mode !== 'client-side' || !isStatusError(error, 'Invalid') || !error.message.includes('metadata.annotations: Too long')) return error;
  const hint = 'what was applied is kept in an annotation, unless the sync option ServerSideApply=true is set';
  return new StatusError({ ...error.status, message: `${error.message}; ${hint}` }, { cause: error });
}

async function applyOnce(options: ApplyOptions): Promise<Applied> {
  const { api, type, desired, live, mode } = options;
  const write = writeOptions(options);
  const ref = refOf(desired);
  if (mode === 'server-side') {
    const patch: Patch = { type: 'apply', body: desired as unknown as JsonObject, force: true };
    return { message: describeWrite(type, desired, 'serverside-applied', options), object: await api.patch(type, ref, patch, write) };
  }
  const full = mode === 'replace' ? desired : withLastApplied(desired);
  if (live === undefined) return { message: describeWrite(type, desired, 'created', options), object: await api.create(type, full, write) };
  if (mode === 'replace') return replaceObject(options, live, full, write);
  const patch = planPatch(full, live);
  if (patch === undefined) return { message: describeWrite(type, desired, 'unchanged', options), object: live };
  if (bindsAnotherRole(desired, live)) {
    await requireCreatable(options, full);
    return recreateObject(options, live, full);
  }
  try {
    return { message: describeWrite(type, desired, 'configured', options), object: await api.patch(type, ref, patch, write) };
  } catch (error) {
    if (options.force && isStatusError(error, 'Invalid', 'Conflict')) return recreateObject(options, live, full);
    throw error;
  }
}

/** Which role is bound can never be changed: who wants another one, wants another binding. */
function bindsAnotherRole(desired: KubeObject, live: KubeObject): boolean {
  const { apiVersion, kind } = desired;
  if (apiVersion !== `${RBAC_GROUP}/v1` || (kind !== 'RoleBinding' && kind !== 'ClusterRoleBinding')) return false;
  return roleOf(desired) !== roleOf(live);
}

function roleOf(binding: KubeObject): string {
  const role = objectAt(toJson(binding), 'roleRef');
  return [textAt(role, 'apiGroup') || RBAC_GROUP, textAt(role, 'kind'), textAt(role, 'name')].join('/');
}

/** Throws where an object could not be created, were it not there: what is refused then is refused before anything is deleted for it. */
async function requireCreatable(options: ApplyOptions, desired: KubeObject): Promise<void> {
  try {
    await options.api.create(options.type, desired, { ...writeOptions(options), dryRun: true });
  } catch (error) {
    const isUntold = isStatusError(error, 'BadRequest') && error.message.includes('does not support dry run');
    if (!isUntold && !isStatusError(error, 'AlreadyExists')) throw error;
  }
}

/** What to send so that the object becomes what is desired, as `kubectl apply` would; undefined where it is that already. */
export function planPatch(desired: KubeObject, live: KubeObject): Patch | undefined {
  const input = { lastApplied: lastAppliedOf(live), modified: toJson(desired), live: toJson(live) };
  const schema = builtinSchema(desired.apiVersion, desired.kind);
  const body = schema ? createThreeWayStrategicMergePatch(input, schema) : createThreeWayMergePatch(input);
  return isNothing(body) ? undefined : { type: schema ? 'strategic' : 'merge', body };
}

/** Nothing but directives about the order of lists changes nothing. */
function isNothing(patch: JsonObject): boolean {
  return Object.entries(patch).every(
    ([key, value]) => key.startsWith('$setElementOrder/') || (isJsonObject(value) && Object.keys(value).length > 0 && isNothing(value)),
  );
}

async function replaceObject(options: ApplyOptions, live: KubeObject, desired: KubeObject, write: WriteOptions): Promise<Applied> {
  const { api, type } = options;
  const isUpdatedInPlace = type.kind === 'CustomResourceDefinition' || type.kind === 'Namespace';
  const { resourceVersion = '' } = live.metadata;
  const next = { ...desired, metadata: { ...desired.metadata, resourceVersion } };
  try {
    const object = await api.update(type, next, write);
    const message = isUpdatedInPlace
      ? `${type.kind}/${desired.metadata.name ?? ''} updated`
      : describeWrite(type, desired, 'replaced', options);
    return { message, object };
  } catch (error) {
    if (options.force && !isUpdatedInPlace && isStatusError(error, 'Invalid', 'Conflict')) return recreateObject(options, live, desired);
    throw error;
  }
}

/** Deletes the very object that was looked at, and creates it again when it is gone. */
async function recreateObject(options: ApplyOptions, { metadata: { uid } }: KubeObject, desired: KubeObject): Promise<Applied> {
  const { api, type, timers, signal, dryRun } = options;
  const ref = refOf(desired);
  const message = describeWrite(type, desired, 'replaced', options);
  const preconditions = uid === undefined ? {} : { preconditions: { uid } };
  await api.delete(type, ref, { propagation: 'Background', gracePeriodSeconds: 0, ...preconditions, dryRun, signal });
  if (dryRun) return { message, object: desired };
  const object = await createWhenGone({ api, type, ref, uid, timers, signal }, () => api.create(type, desired, writeOptions(options)));
  return { message, object };
}

async function readLive({ api, type, desired, signal }: ApplyOptions): Promise<KubeObject | undefined> {
  try {
    return await api.get(type, refOf(desired), { signal });
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}

function writeOptions({ validate, dryRun, signal }: ApplyOptions): WriteOptions {
  return { fieldManager: FIELD_MANAGER, fieldValidation: validate ? 'Strict' : 'Ignore', ...(dryRun && { dryRun }), signal };
}

function refOf({ metadata }: KubeObject): { readonly namespace?: string; readonly name: string } {
  return { name: metadata.name ?? '', ...(metadata.namespace && { namespace: metadata.namespace }) };
}

/** `deployment.apps/web configured`; what was only tried says so. */
export function describeWrite(
  type: ResourceType | DiscoveredResource,
  object: KubeObject,
  verb: string,
  { dryRun }: Pick<ApplyOptions, 'dryRun'>,
): string {
  const kind = type.kind.toLowerCase() + (type.group === '' ? '' : `.${type.group}`);
  return `${kind}/${object.metadata.name ?? ''} ${verb}${dryRun ? ' (dry run)' : ''}`;
}

function toJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}
