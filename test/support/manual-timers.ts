import type { Timers } from '../../src/base/index.ts';

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** Time that stands still until a test moves it. */
export class ManualTimers implements Timers {
  #nowMs = 0;
  readonly #timers = new Set<Timer>();

  nowMs(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, run: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(delayMs, 0), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** How many timers are waiting. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer is due; undefined where none is waiting. */
  get nextInMs(): number | undefined {
    const next = this.#next();
    return next && next.dueMs - this.#nowMs;
  }

  /** Moves time forward, running what falls due in its order, and lets promises settle after each. */
  async advance(milliseconds: number): Promise<void> {
    const untilMs = this.#nowMs + milliseconds;
    await settle();
    for (let next = this.#next(); next && next.dueMs <= untilMs; next = this.#next()) {
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.run();
      await settle();
    }
    this.#nowMs = untilMs;
  }

  #next(): Timer | undefined {
    return [...this.#timers].reduce<Timer | undefined>((first, timer) => (first && first.dueMs <= timer.dueMs ? first : timer), undefined);
  }
}

/** Lets everything run that waits only for promises. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
