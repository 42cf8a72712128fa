import { ApiError, Code, LruMap } from '../../../base/index.ts';
import type { Limits } from '../../limits.ts';

/** A crowd of addresses beyond this makes the limiter forget the quietest. */
const ADDRESSES_MAX = 10_000;
/** An address that was quiet may make the calls of so many seconds at once. */
const BURST_SECONDS = 10;

interface Bucket {
  left: number;
  filledMs: number;
}

/**
 * How often an address may call without being signed in. This machine's own address has a limit of its own, because a
 * reverse proxy here makes everyone's calls.
 */
export class AnonymousRate {
  readonly #buckets = new LruMap<string, Bucket>(ADDRESSES_MAX);
  readonly #limits: Pick<Limits, 'anonymousCallsPerSecondMax' | 'anonymousLocalCallsPerSecondMax'>;

  constructor(limits: Pick<Limits, 'anonymousCallsPerSecondMax' | 'anonymousLocalCallsPerSecondMax'>) {
    this.#limits = limits;
  }

  /** Throws ResourceExhausted when the address has called too often. */
  count(address: string, nowMs: number): void {
    const perSecond = isLoopback(address) ? this.#limits.anonymousLocalCallsPerSecondMax : this.#limits.anonymousCallsPerSecondMax;
    if (perSecond === Infinity) return;
    const full = perSecond * BURST_SECONDS;
    let bucket = this.#buckets.get(address);
    if (bucket === undefined) this.#buckets.set(address, (bucket = { left: full, filledMs: nowMs }));
    bucket.left = Math.min(full, bucket.left + ((nowMs - bucket.filledMs) / 1_000) * perSecond);
    bucket.filledMs = nowMs;
    if (bucket.left < 1) throw new ApiError(Code.ResourceExhausted, 'too many calls without signing in, please slow down');
    bucket.left--;
  }
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');
}
