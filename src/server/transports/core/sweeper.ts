import { LinkedList, type Linked } from './linked-list.ts';

/** Something that must be over by a certain time. */
export interface Timed extends Linked<Timed> {
  /** In the sweeper's time. */
  readonly deadlineMs: number;
  expire(): void;
}

/**
 * Ends what takes too long, by one timer for all: a timer for each request would cost more than the request itself.
 * Deadlines are kept to within one interval.
 */
export class Sweeper {
  readonly #timed = new LinkedList<Timed>();
  readonly #tasks: ((nowMs: number) => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  /** The time of the last sweep: good enough for deadlines, and free. */
  nowMs = performance.now();

  constructor(intervalMs: number) {
    this.#timer = setInterval(() => this.#sweep(), intervalMs);
    this.#timer.unref();
  }

  add(timed: Timed): void {
    this.#timed.add(timed);
  }

  delete(timed: Timed): void {
    this.#timed.delete(timed);
  }

  /** Runs `task` at every sweep. */
  every(task: (nowMs: number) => void): void {
    this.#tasks.push(task);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sweep(): void {
    const nowMs = (this.nowMs = performance.now());
    this.#timed.forEach((timed) => {
      if (timed.deadlineMs > nowMs) return;
      this.#timed.delete(timed);
      timed.expire();
    });
    for (const task of this.#tasks) task(nowMs);
  }
}
