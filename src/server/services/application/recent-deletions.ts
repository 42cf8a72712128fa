import { LruMap, type Clock } from '../../../base/index.ts';
import type { ObjectStore } from '../../../kube/index.ts';
import type { KubeObject, ObjectMeta } from '../../../objects/index.ts';

const deletionsMax = 1_000;
const keptMs = 60_000;

interface Deletion {
  readonly object: KubeObject;
  readonly atMs: number;
  /** Infinity where a list no longer named it: it may have happened at any version up to the list's. */
  readonly version: number;
}

/** What was deleted a moment ago. */
export interface RecentDeletions {
  find(ref: Pick<ObjectMeta, 'namespace' | 'name'>): KubeObject | undefined;
  /** What was deleted after a version, and was not made anew since. Also what may have been before: to hear of an end twice does no harm. */
  after(version: number): readonly KubeObject[];
}

/**
 * Remembers what is deleted from now on. Clients delete an object and only then begin to watch for its end: where nothing has to be
 * cleaned up, that is past by then, and who is not told would wait for ever. The same holds for who lists first and then watches.
 */
export function rememberDeletions(objects: ObjectStore, clock: Clock): RecentDeletions {
  const deleted = new LruMap<string, Deletion>(deletionsMax);
  objects.subscribe(({ type, object, previous }) => {
    if (type !== 'removed') return;
    // A watch tells of a deletion with a version of its own; what is found to be gone has the one at which it was last seen.
    const isTold = versionOf(object) > versionOf(previous);
    deleted.set(keyOf(object.metadata), { object, atMs: clock.nowMs(), version: isTold ? versionOf(object) : Infinity });
  });
  const isRecent = ({ atMs }: { readonly atMs: number }): boolean => clock.nowMs() - atMs < keptMs;
  return {
    find(ref) {
      const found = deleted.get(keyOf(ref));
      return found !== undefined && isRecent(found) ? found.object : undefined;
    },
    after: (version) =>
      [...deleted.values()]
        .filter((one) => isRecent(one) && one.version > version && !isPresent(objects, one.object))
        .map(({ object }) => object),
  };
}

function isPresent(objects: ObjectStore, { metadata: { namespace = '', name = '' } }: KubeObject): boolean {
  return objects.get({ namespace, name }) !== undefined;
}

function versionOf(object: KubeObject | undefined): number {
  return Number(object?.metadata.resourceVersion ?? 0);
}

function keyOf({ namespace = '', name = '' }: Pick<ObjectMeta, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}
