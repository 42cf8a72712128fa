import type { Timers } from '../../base/index.ts';

/** Time of the main thread that may go to work which others could do: a little at once, and a small share in the long run. */
export interface SpareTime {
  isLeft(): boolean;
  /** Does something now, and counts how long it takes. */
  use<Result>(work: () => Result): Result;
}

const AT_ONCE_MS = 100;
const SHARE = 0.02;

export function createSpareTime(timers: Timers): SpareTime {
  let usedMs = 0;
  let atMs = timers.nowMs();

  function settle(): void {
    const nowMs = timers.nowMs();
    usedMs = Math.max(0, usedMs - (nowMs - atMs) * SHARE);
    atMs = nowMs;
  }

  return {
    isLeft() {
      settle();
      return usedMs < AT_ONCE_MS;
    },
    use(work) {
      settle();
      try {
        return work();
      } finally {
        const nowMs = timers.nowMs();
        usedMs += nowMs - atMs;
        atMs = nowMs;
      }
    },
  };
}
