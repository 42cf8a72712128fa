import type { Logger } from '../../base/index.ts';

const ATTEMPTS_MAX = 5;
const RETRY_MS = 50;

/** Does one piece of work after the other. What is asked for twice before its turn is done once; what fails is tried again a few times. */
export class WorkLoop<Item> {
  readonly #name: string;
  readonly #work: (item: Item) => Promise<void>;
  readonly #log: Logger;
  readonly #items = new Map<string, { item: Item; attempt: number }>();
  readonly #waiting = new Set<() => void>();
  #running: Promise<void> | undefined;
  #retries = 0;
  #isStopped = false;

  constructor(name: string, log: Logger, work: (item: Item) => Promise<void>) {
    this.#name = name;
    this.#log = log;
    this.#work = work;
  }

  add(key: string, item: Item, attempt = 0): void {
    if (this.#isStopped || this.#items.has(key)) return;
    this.#items.set(key, { item, attempt });
    this.#running ??= this.#run();
  }

  get isIdle(): boolean {
    return this.#running === undefined && this.#retries === 0;
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    while (!this.isIdle && !this.#isStopped) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#items.clear();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Work is asked for while changes are being told; it starts when that is over.
    await Promise.resolve();
    for (const [key, { item, attempt }] of this.#items) {
      this.#items.delete(key);
      try {
        await this.#work(item);
      } catch (error) {
        this.#retry(key, item, attempt + 1, error);
      }
    }
    this.#running = undefined;
    this.#wake();
  }

  #retry(key: string, item: Item, attempt: number, error: unknown): void {
    if (this.#isStopped) return;
    if (attempt >= ATTEMPTS_MAX) {
      this.#log.error('embedded API: a controller gave up', { controller: this.#name, item: key, error });
      return;
    }
    this.#retries += 1;
    setTimeout(() => {
      this.#retries -= 1;
      this.add(key, item, attempt);
      this.#wake();
    }, RETRY_MS * attempt).unref();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
