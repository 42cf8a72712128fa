import { ApiError, Code } from '../../base/index.ts';
import type { DiscoveredResource, KubeApi } from '../../kube/index.ts';
import { formatApiVersion, isObjectMissing, isStatusError, type KubeObject } from '../../objects/index.ts';
import type { Registration } from '../registration/registration.ts';
import type { KindFollowers } from './kind-followers.ts';
import type { LiveTarget } from './live-cache.ts';
import { objectKey } from './live-row.ts';
import type { StoredRow } from './make-row.ts';

/** So many objects are asked for at once. */
const AT_ONCE = 10;

/** What was asked for of an object, as long as the row is the one that it was asked for: whole, in another version, or with its owners. */
const answers = new WeakMap<StoredRow, { readonly version: string; readonly withOwners: boolean; readonly object: KubeObject }>();

export interface LoadLiveObjectsOptions {
  readonly api: KubeApi;
  readonly followers: KindFollowers;
  readonly registration: Registration;
  readonly typeOf: (kind: LiveTarget) => DiscoveredResource | undefined;
  /** The cluster does not serve a kind as it is known here. */
  readonly onUnserved: () => void;
  readonly instance: string;
  readonly targets: Iterable<LiveTarget>;
  readonly signal?: AbortSignal | undefined;
}

/** See `LiveCache.liveObjects`. */
export async function loadLiveObjects(options: LoadLiveObjectsOptions): Promise<Map<string, KubeObject>> {
  const { followers, instance, targets } = options;
  const objects = new Map<string, KubeObject>();
  for (const [key, row] of followers.index.managed(instance)) if (row.body !== undefined) objects.set(key, row.body);
  const missing: LiveTarget[] = [];
  for (const target of targets) {
    checkBounds(target, options);
    const { group, kind, namespace = '', name } = target;
    const row = followers.find(group, kind, namespace, name);
    const known = row && findKnown(row, target);
    if (known !== undefined) objects.set(objectKey(target), known);
    // What is not among the objects of a kind that is known is not there.
    else if (row !== undefined || !followers.isKnown(group, kind, namespace)) missing.push(target);
  }
  for (let start = 0; start < missing.length; start += AT_ONCE) {
    const batch = missing.slice(start, start + AT_ONCE);
    const found = await Promise.all(batch.map((target) => getObject(target, options)));
    for (const [index, target] of batch.entries()) {
      const object = found[index];
      if (object === undefined) continue;
      objects.set(objectKey(target), object);
      const row = followers.find(target.group, target.kind, target.namespace ?? '', target.name);
      const { version = row?.type.version ?? '', withOwners = false } = target;
      // It is answered in another version where the one that is asked for is not served, which may be so in a moment.
      if (object.apiVersion !== formatApiVersion({ group: target.group, version })) continue;
      // The watch may have been quicker or slower than the answer: what is of another moment is not kept for this one.
      if (row !== undefined && row.resourceVersion === object.metadata.resourceVersion)
        answers.set(row, { version, withOwners, object: shareBody(row, object) });
    }
  }
  return objects;
}

function findKnown(row: StoredRow, target: LiveTarget): KubeObject | undefined {
  const { version = row.type.version, withOwners = false } = target;
  if (row.body !== undefined && version === row.type.version && !withOwners) return row.body;
  const answer = answers.get(row);
  return answer?.version === version && (answer.withOwners || !withOwners) ? answer.object : undefined;
}

/** The parts that are kept anyway are not kept twice. */
function shareBody({ body }: StoredRow, object: KubeObject): KubeObject {
  const isSame = body?.metadata.resourceVersion === object.metadata.resourceVersion && body?.apiVersion === object.apiVersion;
  if (body === undefined || !isSame) return object;
  const { managedFields } = object.metadata;
  return managedFields === undefined ? body : { ...body, metadata: { ...body.metadata, managedFields } };
}

/** A cluster that is managed by namespace has nothing to say of what is outside of those. */
function checkBounds({ group, kind, namespace = '', name }: LiveTarget, { registration, typeOf }: LoadLiveObjectsOptions): void {
  const { namespaces, clusterResources } = registration;
  if (namespaces.length === 0) return;
  const isNamespaced = typeOf({ group, kind, namespace, name })?.namespaced ?? namespace !== '';
  if (!isNamespaced) {
    if (clusterResources) return;
    throw new ApiError(Code.FailedPrecondition, `cluster level ${kind} "${name}" can not be managed when in namespaced mode`);
  }
  if (namespaces.includes(namespace)) return;
  throw new ApiError(Code.FailedPrecondition, `namespace "${namespace}" for ${kind} "${name}" is not managed`);
}

/**
 * Undefined where it is not there, or where the cluster does not know its kind yet. Throws ApiError where the cluster does not serve the kind
 * any more, or not in that version: what lives may be there all the same.
 */
async function getObject(target: LiveTarget, { api, typeOf, onUnserved, signal }: LoadLiveObjectsOptions): Promise<KubeObject | undefined> {
  const type = typeOf(target);
  if (type === undefined) return undefined;
  const { name, namespace, withOwners = false } = target;
  const options = { ...(signal && { signal }), ...(withOwners && { keepManagedFields: true }) };
  try {
    return await api.get(type, type.namespaced ? { name, namespace: namespace ?? '' } : { name }, options);
  } catch (error) {
    if (isObjectMissing(error)) return undefined;
    if (!isStatusError(error, 'NotFound')) throw error;
    onUnserved();
    throw new ApiError(Code.Unavailable, `${type.plural} of ${formatApiVersion(type)} are not served any more`, { cause: error });
  }
}
