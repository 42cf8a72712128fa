export interface BackOffOptions {
  /** The first delay before jitter, in milliseconds. */
  readonly firstMs: number;
  /** No delay is longer. */
  readonly maxMs: number;
}

/**
 * The delay after so many failures in a row (1 for the first): it doubles each time up to the longest, and a random part of up to half
 * of it is taken off, so that those who failed together do not come back together. It is never less than half of the first delay.
 */
export function backOffMs({ firstMs, maxMs }: BackOffOptions, failures: number, random: () => number): number {
  // Beyond this the power would only leave the range of what is exact.
  const doublings = Math.min(Math.max(failures - 1, 0), 40);
  const fullMs = Math.min(firstMs * 2 ** doublings, maxMs);
  return fullMs * (1 - random() / 2);
}
