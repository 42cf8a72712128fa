const WAIT_MS_MIN = 500;
const WAIT_MS_MAX = 15_000;
/** A stream that lived this long was well, and what broke it is news. One that breaks sooner may do so each time. */
const WELL_MS = 10_000;

/** How long to wait before a stream is opened again: twice as long each time, until one has lived for a while. Times are those of one clock. */
export interface BackOff {
  readonly opened: (nowMs: number) => void;
  /** It broke, or could not be opened. */
  readonly nextMs: (nowMs: number) => number;
}

export function createBackOff(): BackOff {
  let waitMs = WAIT_MS_MIN;
  let openedMs: number | undefined;
  return {
    opened(nowMs) {
      openedMs = nowMs;
    },
    nextMs(nowMs) {
      if (openedMs !== undefined && nowMs - openedMs >= WELL_MS) waitMs = WAIT_MS_MIN;
      openedMs = undefined;
      const next = waitMs;
      waitMs = Math.min(waitMs * 2, WAIT_MS_MAX);
      return next;
    },
  };
}
