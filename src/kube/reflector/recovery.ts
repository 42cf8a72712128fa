import { backOffMs } from '../../base/index.ts';
import type { ReflectorLimits } from './reflector-options.ts';
import type { Trouble } from './trouble.ts';

/** So many watches may fail in a row from the same version before that version is given up. */
const BAD_WATCHES_MAX = 3;

/**
 * How to go on after a watch has failed: from the same version; with a list of everything; or first with a question, because silence
 * and excuses may hide a cause that only a list can name, such as a conversion webhook that fails.
 */
export type WatchPlan = 'resume' | 'relist' | 'ask';

/** Remembers what went wrong in a row, and decides from it what to do next and how long to wait before. */
export class Recovery {
  readonly #limits: ReflectorLimits;
  readonly #random: () => number;
  #failures = 0;
  #badWatches = 0;

  constructor(limits: ReflectorLimits, random: () => number) {
    this.#limits = limits;
    this.#random = random;
  }

  /** An event came, or a list was read to its end. Only time forgets failures: each list may be followed by a watch that fails. */
  noteProgress(): void {
    this.#badWatches = 0;
  }

  noteWatchEnd(livedMs: number): void {
    if (livedMs >= this.#limits.steadyMs) this.forgetFailures();
  }

  forgetFailures(): void {
    this.#failures = 0;
  }

  planWatch({ reason, code }: Trouble): WatchPlan {
    if (reason === 'unreachable') return 'resume';
    if (reason === 'expired' || code === 404) return 'relist';
    this.#badWatches += 1;
    if (reason === 'stalled') return 'ask';
    if (this.#badWatches < BAD_WATCHES_MAX) return 'resume';
    return reason === 'throttled' ? 'ask' : 'relist';
  }

  /** Counts one more failure, and returns how long to wait after it. */
  nextDelayMs({ retryAfterMs = 0 }: Trouble): number {
    this.#failures += 1;
    const { backOff, retryAfterMaxMs } = this.#limits;
    return Math.max(backOffMs(backOff, this.#failures, this.#random), Math.min(retryAfterMs, retryAfterMaxMs));
  }
}
