import { LruMap, isRecent } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';
import type { SourceLimits } from '../limits.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { Registry, RegistryCall } from './registry.ts';
import { versionOfTag } from './registry-place.ts';

/** The tags of repositories, as the versions that they stand for. */
export interface TagLists {
  /** The answer of a moment ago, unless a fresh one is wanted. */
  list(call: RegistryCall, fresh: boolean): Promise<readonly string[]>;
}

const LISTS_MAX = 500;

export function createTagLists(options: { readonly registry: Registry; readonly limits: SourceLimits; readonly clock: Clock }): TagLists {
  const { registry, limits, clock } = options;
  const known = new LruMap<string, { readonly tags: readonly string[]; readonly atMs: number }>(LISTS_MAX);
  const listing = createSingleFlight<readonly string[]>();

  return {
    async list(call, fresh) {
      const key = JSON.stringify([call.place.origin, call.place.repository, call.access.owner]);
      const before = known.get(key);
      const isKnown = before !== undefined && isRecent(before.atMs, { nowMs: clock.nowMs(), withinMs: limits.revisionMs });
      if (isKnown && !fresh) return before.tags;
      const start = async (): Promise<readonly string[]> => {
        const atMs = clock.nowMs();
        const { signal: _mine, ...shared } = call;
        const tags = (await registry.tags(shared)).map(versionOfTag);
        known.set(key, { tags, atMs });
        return tags;
      };
      return await (fresh ? listing.joinNext(key, start, call.signal) : listing.join(key, start, call.signal));
    },
  };
}
