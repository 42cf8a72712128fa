import { ApiError, Code, LruMap } from '../base/index.ts';
import type { Clock } from '../base/index.ts';

export interface FailureCacheOptions {
  readonly clock: Clock;
  /** From so many failures in a row on they are remembered; never where it is 0. */
  readonly freeFailures: number;
  /** How long the next is remembered; each further one twice as long, up to the most. */
  readonly pauseMs: number;
  readonly pauseMsMax: number;
  /** Instead of growing pauses: so long after the first failure all begins anew. Not where it is 0 or unset. */
  readonly forgetMs?: number;
  /** After so many answers without a try all begins anew, too. Not where it is 0 or unset. */
  readonly answersMax?: number;
  /** What is said before the text of a failure that is told again. */
  readonly prefix: string;
}

/** Remembers what failed, so that what fails again and again is not done again and again. */
export interface FailureCache {
  /** Does the work, or throws how it failed a moment ago; `force` does it in any case. A name that takes time to make is made where it is needed. */
  run<Result>(key: string | (() => string), work: () => Promise<Result>, options: { readonly force: boolean }): Promise<Result>;
}

const FAILURES_MAX = 2_000;
const MESSAGE_LENGTH_MAX = 20_000;
/** These say something about us at the moment, and nothing about what was asked for. */
const PASSING: readonly Code[] = [Code.Canceled, Code.ResourceExhausted, Code.Internal, Code.DeadlineExceeded];

interface Failure {
  readonly error: ApiError;
  readonly count: number;
  readonly firstAtMs: number;
  /** Of this failure, and how long it is told: from the one to the other, whatever the clock does meanwhile. */
  readonly atMs: number;
  readonly untilMs: number;
  answers: number;
}

/** A clock that was set back would tell it for as long again. */
function isToldAt({ atMs, untilMs }: Failure, nowMs: number): boolean {
  return nowMs >= atMs && nowMs < untilMs;
}

export function createFailureCache(options: FailureCacheOptions): FailureCache {
  const { clock, freeFailures, forgetMs = 0, answersMax = 0, prefix } = options;
  const failures = new LruMap<string, Failure>(FAILURES_MAX);

  function find(key: string): Failure | undefined {
    const failure = failures.get(key);
    const isOver = failure !== undefined && forgetMs > 0 && clock.nowMs() >= failure.firstAtMs + forgetMs;
    return isOver || (failure !== undefined && answersMax > 0 && failure.answers >= answersMax) ? undefined : failure;
  }

  return {
    async run(name, work, { force }) {
      const nameOf = typeof name === 'string' ? () => name : name;
      // Nearly always nothing fails.
      const key = failures.size === 0 ? undefined : nameOf();
      const before = key === undefined ? undefined : find(key);
      if (before !== undefined && !force && isToldAt(before, clock.nowMs())) {
        const { code, message } = before.error;
        before.answers += 1;
        throw new ApiError(code, `${prefix}${message}`);
      }
      try {
        const result = await work();
        if (failures.size > 0) failures.delete(key ?? nameOf());
        return result;
      } catch (error) {
        if (!(error instanceof ApiError) || PASSING.includes(error.code) || error.message.length > MESSAGE_LENGTH_MAX) throw error;
        const count = (before?.count ?? 0) + 1;
        const nowMs = clock.nowMs();
        const firstAtMs = before?.firstAtMs ?? nowMs;
        failures.set(key ?? nameOf(), {
          error,
          count,
          firstAtMs,
          atMs: nowMs,
          untilMs: nowMs + pauseAfter(count, firstAtMs, nowMs),
          answers: before?.answers ?? 0,
        });
        throw error;
      }
    },
  };

  function pauseAfter(count: number, firstAtMs: number, nowMs: number): number {
    if (freeFailures === 0 || count < freeFailures) return 0;
    if (forgetMs > 0) return firstAtMs + forgetMs - nowMs;
    return Math.min(options.pauseMsMax, options.pauseMs * 2 ** Math.min(count - freeFailures, 30));
  }
}
