/** One thing to measure: what it is called, and the work. */
export interface Contender {
  readonly name: string;
  run(): unknown;
}

const WARM_UP_ROUNDS = 2;
const ROUNDS_MIN = 5;

/**
 * The median duration of each contender in milliseconds. They take turns, so that whatever else the machine does falls on
 * all of them alike; the first rounds only warm up. Rounds are begun until the time is used up.
 */
export function interleave(contenders: readonly Contender[], options: { readonly budgetMs: number }): Map<string, number> {
  const durations = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const begin = performance.now();
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS_MIN || performance.now() - begin < options.budgetMs; round++) {
    for (const contender of contenders) {
      const start = performance.now();
      contender.run();
      if (round >= 0) durations.get(contender.name)!.push(performance.now() - start);
    }
  }
  return new Map([...durations].map(([name, all]) => [name, median(all)]));
}

/** The upper one of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
