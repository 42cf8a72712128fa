import { ApiError, Code } from '../../base/index.ts';

export interface GateOptions {
  readonly insideMax: number;
  readonly waitingMax: number;
  /** What is refused where even the waiting room is full. */
  readonly full: string;
}

/** Lets a bounded number in at once and the others wait in line, until their turn comes or they give up. */
export interface Gate {
  /** Resolves to the function that leaves again. */
  enter(signal?: AbortSignal): Promise<() => void>;
}

export function createGate({ insideMax, waitingMax, full }: GateOptions): Gate {
  const waiting = new Set<() => void>();
  let inside = 0;

  function leave(): void {
    // The place is handed over, so the number inside does not change.
    for (const next of waiting) {
      waiting.delete(next);
      next();
      return;
    }
    inside -= 1;
  }

  function leaveOnce(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave();
    };
  }

  function wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(turn);
        reject(signal?.reason as Error);
      };
      waiting.add(turn);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  return {
    enter: async (signal) => {
      signal?.throwIfAborted();
      if (inside < insideMax) inside += 1;
      else if (waiting.size >= waitingMax) throw new ApiError(Code.ResourceExhausted, full);
      else await wait(signal);
      return leaveOnce();
    },
  };
}
