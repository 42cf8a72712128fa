import { pause } from '../../base/index.ts';
import type { LiveCache, ObjectKeyParts } from '../../clusters/index.ts';
import type { ControllerContext } from './controller-context.ts';

/** What the cache should know of an object: at least this version, or that it is gone. */
export interface Expectation {
  readonly key: ObjectKeyParts;
  readonly resourceVersion: string;
}

/** How long the watches are given to tell of our own writes. */
const limitMs = 3_000;

/** Waits until a cache knows of writes, or has had its time: a kind may be followed by nobody, and a pruned object may take long to go. */
export async function waitForCache(
  { timers }: ControllerContext,
  cache: LiveCache,
  expectations: readonly Expectation[],
  signal: AbortSignal,
): Promise<void> {
  const open = new Set(expectations);
  const look = (): void => {
    for (const expectation of open) if (isMet(cache, expectation)) open.delete(expectation);
  };
  look();
  if (open.size === 0) return;
  const met = new AbortController();
  const stop = (): void => met.abort();
  const unsubscribe = cache.onChange(() => {
    look();
    if (open.size === 0) stop();
  });
  signal.addEventListener('abort', stop);
  try {
    // The last change may have come between the look and the subscription.
    look();
    if (open.size > 0) await pause(timers, limitMs, met.signal);
  } finally {
    signal.removeEventListener('abort', stop);
    unsubscribe();
  }
}

function isMet(cache: LiveCache, { key, resourceVersion }: Expectation): boolean {
  const row = cache.find(key);
  if (resourceVersion === 'none') return row === undefined;
  return row !== undefined && Number(row.resourceVersion) >= Number(resourceVersion);
}
