import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timers } from '../../base/index.ts';

/** How long it is worked before others have their turn. */
const turnMs = 25;

/** Does a part of work that may take long in all. Throws the reason of the signal where nobody waits for the work any more. */
export type DoInTurn = <Result>(part: () => Result) => Promise<Result>;

/** Lets others have their turn between parts of work. Several may work at once, and share the time that there is. */
export function createTurns(timers: Pick<Timers, 'nowMs'>, signal: AbortSignal): DoInTurn {
  let sinceMs = timers.nowMs();
  let next: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    await nextTurn();
    next = undefined;
    sinceMs = timers.nowMs();
  };
  return async (part) => {
    while (timers.nowMs() - sinceMs >= turnMs) {
      await (next ??= begin());
      signal.throwIfAborted();
    }
    // At once: whoever has waited for the same turn looks at the time only after it.
    return part();
  };
}
