import { ApiError, Code } from '../../base/index.ts';
import type { DiscoveredResource, KubeApi } from '../../kube/index.ts';
import { isStatusError, type KubeObject } from '../../objects/index.ts';
import type { Registration } from '../registration/registration.ts';
import type { KindFollowers } from './kind-followers.ts';
import type { LiveTarget } from './live-cache.ts';
import { objectKey } from './live-row.ts';

/** So many objects are asked for at once. */
const AT_ONCE = 10;

export interface LoadLiveObjectsOptions {
  readonly api: KubeApi;
  readonly followers: KindFollowers;
  readonly registration: Registration;
  readonly typeOf: (kind: LiveTarget) => DiscoveredResource | undefined;
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
    if (objects.has(objectKey(target))) continue;
    const row = followers.find(group, kind, namespace, name);
    if (row?.body !== undefined) objects.set(objectKey(target), row.body);
    // What is not among the objects of a kind that is known is not there.
    else if (row !== undefined || !followers.isKnown(group, kind, namespace)) missing.push(target);
  }
  for (let start = 0; start < missing.length; start += AT_ONCE) {
    const batch = missing.slice(start, start + AT_ONCE);
    const found = await Promise.all(batch.map((target) => getObject(target, options)));
    for (const [index, target] of batch.entries()) {
      const object = found[index];
      if (object !== undefined) objects.set(objectKey(target), object);
    }
  }
  return objects;
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

/** Undefined where it is not there, or where the cluster does not know its kind yet. */
async function getObject(target: LiveTarget, { api, typeOf, signal }: LoadLiveObjectsOptions): Promise<KubeObject | undefined> {
  const type = typeOf(target);
  if (type === undefined) return undefined;
  const { name, namespace } = target;
  try {
    return await api.get(type, type.namespaced ? { name, namespace: namespace ?? '' } : { name }, signal ? { signal } : {});
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}
