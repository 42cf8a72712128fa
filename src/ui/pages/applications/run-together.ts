interface RunOptions {
  readonly concurrency: number;
  /** Begins nothing more from then on; what is under way comes to its end. */
  readonly signal?: AbortSignal;
}

/** Runs work on each item, a few at a time; one that fails does not keep the others from being done. */
export async function runTogether<Item>(
  items: readonly Item[],
  { concurrency, signal }: RunOptions,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    while (signal?.aborted !== true) {
      const item = waiting.shift();
      if (item === undefined) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}
