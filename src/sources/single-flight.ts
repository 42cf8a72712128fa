import { abortable } from '../base/index.ts';

/** Runs work once for all who ask for it at the same time. Whoever gives up stops waiting, and the work goes on for the others. */
export interface SingleFlight<Result> {
  /** Joins the work that is under way under this key, or starts it. */
  join(key: string, start: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Joins only work that starts from now on: what is under way may not have seen what the caller knows. */
  joinNext(key: string, start: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

export function createSingleFlight<Result>(): SingleFlight<Result> {
  const running = new Map<string, Promise<Result>>();
  const next = new Map<string, Promise<Result>>();

  function begin(key: string, start: () => Promise<Result>): Promise<Result> {
    const work = start().finally(() => running.delete(key));
    running.set(key, work);
    // Those who wait hear of a failure; where nobody waits any more, nobody needs to.
    work.catch(() => undefined);
    return work;
  }

  async function startAfter(current: Promise<Result>, key: string, start: () => Promise<Result>): Promise<Result> {
    await current.catch(() => undefined);
    next.delete(key);
    return await (running.get(key) ?? begin(key, start));
  }

  return {
    join: (key, start, signal) => abortable(running.get(key) ?? begin(key, start), signal),
    joinNext(key, start, signal) {
      const current = running.get(key);
      if (current === undefined) return abortable(begin(key, start), signal);
      let later = next.get(key);
      if (later === undefined) {
        later = startAfter(current, key, start);
        later.catch(() => undefined);
        next.set(key, later);
      }
      return abortable(later, signal);
    },
  };
}
