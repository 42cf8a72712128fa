import { LruMap } from '../../../base/index.ts';
import type { KubeObject, ObjectMeta } from '../../../objects/index.ts';
import type { ApplicationServiceOptions } from './application-context.ts';

const deletionsMax = 1_000;
const keptMs = 60_000;

/** Applications that were deleted a moment ago. */
export interface RecentDeletions {
  find(ref: Pick<ObjectMeta, 'namespace' | 'name'>): KubeObject | undefined;
}

/**
 * Remembers what is deleted from now on. Clients delete an application and only then begin to watch for its end: where nothing has to be
 * cleaned up, that is past by then, and who is not told would wait for ever.
 */
export function rememberDeletions({ applications, clock }: ApplicationServiceOptions): RecentDeletions {
  const deleted = new LruMap<string, { readonly object: KubeObject; readonly atMs: number }>(deletionsMax);
  applications.subscribe(({ type, object }) => {
    if (type === 'removed') deleted.set(keyOf(object.metadata), { object, atMs: clock.nowMs() });
  });
  return {
    find(ref) {
      const found = deleted.get(keyOf(ref));
      return found !== undefined && clock.nowMs() - found.atMs < keptMs ? found.object : undefined;
    },
  };
}

function keyOf({ namespace = '', name = '' }: Pick<ObjectMeta, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}
