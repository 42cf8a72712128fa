import { pause } from '../../base/index.ts';
import type { LiveCache, ObjectKeyParts } from '../../clusters/index.ts';
import type { ControllerContext } from './controller-context.ts';

/** What the cache should know of an object: at least this version, or that it is gone. */
export interface Expectation {
  readonly key: ObjectKeyParts;
  readonly resourceVersion: string;
}

/** How long the watches are given to tell of our own writes: usually they take a moment, and on a busy cluster much longer. */
const limitMs = 10_000;
/** From when on a watch that has not told may be dead without a sign. */
const doubtMs = 3_000;
/** Between two looks. Not every change of an object is told to listeners, so they are no sign. */
const pauses = { firstMs: 10, factor: 1.5, maxMs: 250 };

/**
 * Waits until a cache knows of writes, or has had its time. What it cannot know, because nobody follows the kind or because it is read anew, is not
 * waited for: whoever looks next waits for that.
 */
export async function waitForCache(
  { timers }: ControllerContext,
  cache: LiveCache,
  expectations: readonly Expectation[],
  signal: AbortSignal,
): Promise<void> {
  const startMs = timers.nowMs();
  let isDoubted = false;
  let open = expectations;
  for (
    let pauseMs = pauses.firstMs;
    !signal.aborted && cache.state.name === 'synced';
    pauseMs = Math.min(pauseMs * pauses.factor, pauses.maxMs)
  ) {
    open = open.filter((expectation) => cache.isKnown(expectation.key) && !isMet(cache, expectation));
    const waitedMs = timers.nowMs() - startMs;
    if (open.length === 0 || waitedMs >= limitMs) return;
    if (waitedMs >= doubtMs && !isDoubted) for (const { key } of open) cache.doubt(key);
    isDoubted = waitedMs >= doubtMs;
    await pause(timers, pauseMs, signal);
  }
}

function isMet(cache: LiveCache, { key, resourceVersion }: Expectation): boolean {
  const row = cache.find(key);
  // An object on its way out may take long to go; that it is leaving is all that can be expected.
  if (resourceVersion === 'none') return row === undefined || Boolean(row.body?.metadata.deletionTimestamp);
  return row !== undefined && Number(row.resourceVersion) >= Number(resourceVersion);
}
