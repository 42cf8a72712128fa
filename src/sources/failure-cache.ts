import { ApiError, Code, LruMap } from '../base/index.ts';
import type { Clock } from '../base/index.ts';

export interface FailureCacheOptions {
  readonly clock: Clock;
  /** So many failures in a row are tried again at once. */
  readonly freeFailures: number;
  /** How long the next is remembered; each further one twice as long, up to the most. */
  readonly pauseMs: number;
  readonly pauseMsMax: number;
  /** What is said before the text of a failure that is told again. */
  readonly prefix: string;
}

/** Remembers what failed, so that what fails again and again is not done again and again. */
export interface FailureCache {
  /** Does the work, or throws how it failed a moment ago; `force` does it in any case. */
  run<Result>(key: string, work: () => Promise<Result>, options: { readonly force: boolean }): Promise<Result>;
}

const FAILURES_MAX = 2_000;
const MESSAGE_LENGTH_MAX = 20_000;
/** These say something about us at the moment, and nothing about what was asked for. */
const PASSING: readonly Code[] = [Code.Canceled, Code.ResourceExhausted, Code.Internal, Code.DeadlineExceeded];

interface Failure {
  readonly error: ApiError;
  readonly count: number;
  readonly untilMs: number;
}

export function createFailureCache({ clock, freeFailures, pauseMs, pauseMsMax, prefix }: FailureCacheOptions): FailureCache {
  const failures = new LruMap<string, Failure>(FAILURES_MAX);

  return {
    async run(key, work, { force }) {
      const before = failures.get(key);
      if (before !== undefined && !force && clock.nowMs() < before.untilMs) {
        const { code, message } = before.error;
        throw new ApiError(code, `${prefix}${message}`);
      }
      try {
        const result = await work();
        failures.delete(key);
        return result;
      } catch (error) {
        if (!(error instanceof ApiError) || PASSING.includes(error.code) || error.message.length > MESSAGE_LENGTH_MAX) throw error;
        const count = (before?.count ?? 0) + 1;
        const pause = count < freeFailures ? 0 : Math.min(pauseMsMax, pauseMs * 2 ** Math.min(count - freeFailures, 30));
        failures.set(key, { error, count, untilMs: clock.nowMs() + pause });
        throw error;
      }
    },
  };
}
