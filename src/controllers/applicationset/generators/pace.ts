import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError, Code, type Timers } from '../../../base/index.ts';

/** Lets others have their turn in long work on one application set, and ends it where it takes too much. */
export type Pace = () => Promise<void> | undefined;

/** How long it works before others have their turn. */
const turnMs = 25;
/** How long it may work in all: what users write could keep this process busy for hours. */
const workLimitMs = 60_000;

export interface Pacer {
  /** To be called between the parts of the work: the time since the last call counts as work. */
  readonly pace: Pace;
  /** What others answer; the time that they take for it does not count. */
  waitFor<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
}

/** What is done, for the failure. */
interface Task {
  readonly what: string;
  readonly verb: string;
}

const rendering: Task = { what: 'the templates of the ApplicationSet', verb: 'render' };

export function createPace(timers: Timers, signal: AbortSignal, { what, verb }: Task = rendering): Pacer {
  let sinceMs = timers.nowMs();
  let workedMs = 0;
  return {
    async waitFor(ask) {
      const askedMs = timers.nowMs();
      try {
        return await ask();
      } finally {
        sinceMs += timers.nowMs() - askedMs;
      }
    },
    pace() {
      const turn = timers.nowMs() - sinceMs;
      if (turn < turnMs) return undefined;
      workedMs += turn;
      if (workedMs > workLimitMs) throw new ApiError(Code.ResourceExhausted, `${what} took more than ${workLimitMs / 1_000} s to ${verb}`);
      return nextTurn().then(() => {
        signal.throwIfAborted();
        sinceMs = timers.nowMs();
      });
    },
  };
}
