import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timers } from '../../base/index.ts';

/** How long it is worked before others have their turn. */
const turnMs = 25;

/**
 * Lets others have their turn: to be awaited before each part of work that may take long in all. Several may work at once, and share the
 * time that there is. Throws the reason of the signal where nobody waits for the work any more.
 */
export function createTurns(timers: Pick<Timers, 'nowMs'>, signal: AbortSignal): () => Promise<void> {
  let sinceMs = timers.nowMs();
  let next: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    await nextTurn();
    next = undefined;
    sinceMs = timers.nowMs();
  };
  return async () => {
    while (timers.nowMs() - sinceMs >= turnMs) {
      await (next ??= begin());
      signal.throwIfAborted();
    }
  };
}
