/** One thing to measure: what it is called, and the work. */
export interface Contender {
  readonly name: string;
  run(): unknown;
}

/**
 * The median duration of each contender in milliseconds. They take turns, so that whatever else the machine does falls on
 * all of them alike; the first rounds only warm up.
 */
export function interleave(
  contenders: readonly Contender[],
  options: { readonly rounds: number; readonly warmUpRounds: number },
): Map<string, number> {
  const durations = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -options.warmUpRounds; round < options.rounds; round++) {
    for (const contender of contenders) {
      const start = performance.now();
      contender.run();
      if (round >= 0) durations.get(contender.name)!.push(performance.now() - start);
    }
  }
  return new Map([...durations].map(([name, all]) => [name, median(all)]));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
