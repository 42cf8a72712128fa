import type { Change } from '../storage/store.ts';

/** The changes that one watcher has not taken yet. It takes part from `follow` on, and stops doing so when it gets too far behind. */
export class ChangeFeed {
  readonly #pendingMax: number;
  readonly #onEnd: () => void;
  #pending: Change[] = [];
  #state: 'idle' | 'following' | 'ended' = 'idle';
  #wake: (() => void) | undefined;

  constructor(pendingMax: number, onEnd: () => void) {
    this.#pendingMax = pendingMax;
    this.#onEnd = onEnd;
  }

  get isFollowing(): boolean {
    return this.#state === 'following';
  }

  get isEnded(): boolean {
    return this.#state === 'ended';
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  follow(): void {
    if (this.#state === 'idle') this.#state = 'following';
  }

  push(change: Change): void {
    if (this.#state !== 'following') return;
    if (this.#pending.length >= this.#pendingMax) {
      // Too slow: what waits is dropped, and the watcher goes back to the history, which is on disk.
      this.#pending = [];
      this.#state = 'idle';
    } else {
      this.#pending.push(change);
    }
    this.#wake?.();
  }

  /** All that waits, in order. */
  take(): readonly Change[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  /** Resolves when something waits, the feed ends, or so many milliseconds have passed. */
  async wait(milliseconds: number): Promise<void> {
    if (this.#pending.length > 0 || this.#state !== 'following') return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = Number.isFinite(milliseconds) ? setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1)) : undefined;
    this.#wake = resolve;
    await promise;
    this.#wake = undefined;
    clearTimeout(timer);
  }

  end(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#pending = [];
    this.#onEnd();
    this.#wake?.();
  }
}
