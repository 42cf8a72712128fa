export interface SemaphoreOptions {
  /** How many tasks run at once. */
  readonly runningMax: number;
  /** How many more may wait for their turn; the next one is refused. */
  readonly waitingMax: number;
}

/** Runs a bounded number of tasks at once, lets a bounded number wait, and refuses the rest at once. */
export interface Semaphore {
  /** Returns undefined, without calling `task`, when there is no room. */
  tryRun<Result>(task: () => Promise<Result>): Promise<Result> | undefined;
}

export function createSemaphore({ runningMax, waitingMax }: SemaphoreOptions): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<void> {
    if (running < runningMax) {
      running += 1;
      return;
    }
    // The place of the task that leaves is handed over, so `running` does not change.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  async function run<Result>(task: () => Promise<Result>): Promise<Result> {
    await enter();
    try {
      return await task();
    } finally {
      leave();
    }
  }

  return { tryRun: (task) => (running >= runningMax && waiting.length >= waitingMax ? undefined : run(task)) };
}
