import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError, Code, type Timers } from '../../../base/index.ts';

/** Lets others have their turn in long work on one application set, and ends it where it takes too much. */
export type Pace = () => Promise<void> | undefined;

/** How long it works before others have their turn. */
const turnMs = 25;
/** How long it may work in all: what users write could keep this process busy for hours. */
const workLimitMs = 60_000;

/** To be called between the parts of the work; the time in between counts as work, so that waiting must not come between two calls. */
export function createPace(timers: Timers, signal: AbortSignal, limitMs = workLimitMs): { readonly pace: Pace; resume(): void } {
  let sinceMs = timers.nowMs();
  let workedMs = 0;
  return {
    resume() {
      sinceMs = timers.nowMs();
    },
    pace() {
      const turn = timers.nowMs() - sinceMs;
      if (turn < turnMs) return undefined;
      workedMs += turn;
      if (workedMs > limitMs)
        throw new ApiError(Code.ResourceExhausted, `the templates of the ApplicationSet took more than ${limitMs / 1_000} s to render`);
      return nextTurn().then(() => {
        signal.throwIfAborted();
        sinceMs = timers.nowMs();
      });
    },
  };
}
