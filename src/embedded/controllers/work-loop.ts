import { backOffMs, type BackOffOptions, type Logger } from '../../base/index.ts';

const BACK_OFF: BackOffOptions = { firstMs: 50, maxMs: 60_000 };
/** Of so many failures in a row one is told. */
const FAILURES_PER_LINE = 5;

/**
 * Does one piece of work after the other. What is asked for twice before its turn is done once; what fails is tried again, after pauses that
 * grow to a minute, until it is done.
 */
export class WorkLoop<Item> {
  readonly #name: string;
  readonly #work: (item: Item) => Promise<void>;
  readonly #log: Logger;
  readonly #items = new Map<string, { item: Item; failures: number }>();
  /** One for each key that failed last. */
  readonly #retries = new Map<string, NodeJS.Timeout>();
  readonly #waiting = new Set<() => void>();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(name: string, log: Logger, work: (item: Item) => Promise<void>) {
    this.#name = name;
    this.#log = log;
    this.#work = work;
  }

  add(key: string, item: Item, failures = 0): void {
    if (this.#isStopped || this.#items.has(key)) return;
    this.#items.set(key, { item, failures });
    this.#running ??= this.#run();
  }

  get isIdle(): boolean {
    return this.#running === undefined && this.#retries.size === 0;
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    while (!this.isIdle && !this.#isStopped) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#items.clear();
    for (const key of this.#retries.keys()) this.#cancelRetry(key);
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Work is asked for while changes are being told; it starts when that is over.
    await Promise.resolve();
    for (const [key, { item, failures }] of this.#items) {
      this.#items.delete(key);
      try {
        await this.#work(item);
        this.#cancelRetry(key);
      } catch (error) {
        this.#retry(key, item, failures + 1, error);
      }
    }
    this.#running = undefined;
    this.#wake();
  }

  #retry(key: string, item: Item, failures: number, error: unknown): void {
    // Who is called before its pause is over does not wait the longer for it.
    if (this.#isStopped || this.#retries.has(key)) return;
    if (failures % FAILURES_PER_LINE === 0)
      this.#log.error('embedded API: a controller fails and tries again', { controller: this.#name, item: key, failures, error });
    const again = (): void => {
      this.#retries.delete(key);
      this.add(key, item, failures);
      this.#wake();
    };
    this.#retries.set(key, setTimeout(again, backOffMs(BACK_OFF, failures, Math.random)).unref());
  }

  #cancelRetry(key: string): void {
    clearTimeout(this.#retries.get(key));
    this.#retries.delete(key);
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
