/** The longest delay that a timer of the runtime can keep. */
const DELAY_MAX_MS = 2 ** 31 - 1;

/**
 * Time for measuring and waiting: it only goes forward, whatever happens to the clock on the wall. Handed in wherever it is needed so
 * that tests can set it.
 */
export interface Timers {
  /** Milliseconds since a moment that is fixed for this process. */
  nowMs(): number;
  /** Calls `run` once after `delayMs`, unless the function that it returns is called before. */
  schedule(delayMs: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  nowMs: () => performance.now(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), DELAY_MAX_MS));
    return () => clearTimeout(timer);
  },
};

/** Waits, and no longer than until `signal` is aborted: the caller looks at the signal afterwards. */
export function pause(timers: Timers, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = timers.schedule(delayMs, finish);
    signal?.addEventListener('abort', finish);
  });
}
