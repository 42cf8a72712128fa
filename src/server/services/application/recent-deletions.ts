import { LruMap, type Clock } from '../../../base/index.ts';
import type { ObjectStore } from '../../../kube/index.ts';
import type { KubeObject, ObjectMeta } from '../../../objects/index.ts';

const deletionsMax = 1_000;
const keptMs = 60_000;

/** What was deleted a moment ago. */
export interface RecentDeletions {
  find(ref: Pick<ObjectMeta, 'namespace' | 'name'>): KubeObject | undefined;
  /** What was deleted after a version, and was not made anew since. */
  after(version: number): readonly KubeObject[];
}

/**
 * Remembers what is deleted from now on. Clients delete an object and only then begin to watch for its end: where nothing has to be
 * cleaned up, that is past by then, and who is not told would wait for ever. The same holds for who lists first and then watches.
 */
export function rememberDeletions(objects: ObjectStore, clock: Clock): RecentDeletions {
  const deleted = new LruMap<string, { readonly object: KubeObject; readonly atMs: number }>(deletionsMax);
  objects.subscribe(({ type, object }) => {
    if (type === 'removed') deleted.set(keyOf(object.metadata), { object, atMs: clock.nowMs() });
  });
  const isRecent = ({ atMs }: { readonly atMs: number }): boolean => clock.nowMs() - atMs < keptMs;
  return {
    find(ref) {
      const found = deleted.get(keyOf(ref));
      return found !== undefined && isRecent(found) ? found.object : undefined;
    },
    after: (version) =>
      [...deleted.values()]
        .filter((one) => isRecent(one) && Number(one.object.metadata.resourceVersion) > version && !isPresent(objects, one.object))
        .map(({ object }) => object),
  };
}

function isPresent(objects: ObjectStore, { metadata: { namespace = '', name = '' } }: KubeObject): boolean {
  return objects.get({ namespace, name }) !== undefined;
}

function keyOf({ namespace = '', name = '' }: Pick<ObjectMeta, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}
