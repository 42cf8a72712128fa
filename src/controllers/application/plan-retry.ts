import type { RetryStrategy } from '../../model/index.ts';

const defaults = { durationMs: 5_000, factor: 2, maxDurationMs: 180_000 };
const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Whether a failed operation is tried again. A negative limit is no limit. */
export function mayRetry(retry: RetryStrategy | undefined, tried: number): boolean {
  const limit = retry?.limit ?? 0;
  return limit < 0 || tried < limit;
}

/** How long an attempt waits after `tried` others. */
export function retryDelayMs(retry: RetryStrategy | undefined, tried: number): number {
  const { duration = '', factor, maxDuration = '' } = retry?.backoff ?? {};
  const firstMs = readDuration(duration) ?? defaults.durationMs;
  const maxMs = readDuration(maxDuration) ?? defaults.maxDurationMs;
  return Math.min(firstMs * (factor ?? defaults.factor) ** tried, maxMs);
}

/** A plain number of seconds, or `1m30s`; undefined for what is neither. */
function readDuration(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount = '0', unit = 's'] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g))
    total += Number(amount) * (UNITS[unit] ?? 0);
  return total;
}
