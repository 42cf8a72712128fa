import { setTimeout as wait } from 'node:timers/promises';
import { isStatusError } from '../../objects/index.ts';
import { ConnectionError } from './connection-error.ts';
import type { KubeLimits } from './limits.ts';

export interface RetryOptions {
  /** Doing it twice is the same as doing it once, and nobody minds. */
  readonly safe: boolean;
  readonly limits: Pick<KubeLimits, 'retriesMax' | 'retryDelayMs' | 'retryAfterMaxMs'>;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does something again after a failure that passes: a server that asks to wait (it has done nothing then, so this goes for every
 * verb), and for safe verbs also a lost connection and a failure inside the server.
 */
export async function withRetries<Result>(options: RetryOptions, attempt: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const delayMs = planRetry(error, retries, options);
      if (delayMs === undefined || options.signal?.aborted) throw error;
      await wait(delayMs, undefined, options.signal && { signal: options.signal }).catch(() => {
        throw options.signal?.reason;
      });
    }
  }
}

/** How long to wait before the next attempt; undefined where there is none. */
export function planRetry(error: unknown, retries: number, { safe, limits, random }: RetryOptions): number | undefined {
  if (retries >= limits.retriesMax) return undefined;
  const spread = 1 + random();
  const backOffMs = limits.retryDelayMs * 2 ** retries * spread;
  if (error instanceof ConnectionError) return safe && error.transient ? backOffMs : undefined;
  if (!isStatusError(error)) return undefined;
  const isBusy = error.code === 429;
  if (!isBusy && !(safe && error.code >= 500)) return undefined;
  const askedMs = (error.status.details?.retryAfterSeconds ?? 0) * 1000;
  if (askedMs > limits.retryAfterMaxMs) return undefined;
  // Never earlier than asked, and not all at the same moment.
  return Math.max(backOffMs, askedMs * (1 + random() / 4));
}
