import type { Logger, Timers } from '../../base/index.ts';
import type { LiveChange } from './live-cache.ts';

export interface ChangeBatchOptions {
  readonly timers: Timers;
  readonly log: Logger;
  readonly coalesceMs: number;
}

/** Gathers what changed for a moment, and tells it to all listeners at once. */
export class ChangeBatch {
  readonly #options: ChangeBatchOptions;
  readonly #listeners = new Set<(change: LiveChange) => void>();
  #instances = new Map<string, 'compare' | 'tree'>();
  #namespaces = new Set<string>();
  #kinds = false;
  #cancel: (() => void) | undefined;

  constructor(options: ChangeBatchOptions) {
    this.#options = options;
  }

  listen(listener: (change: LiveChange) => void): () => void {
    // Two who hand in the same function are still two.
    const own = (change: LiveChange): void => listener(change);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  noteInstance(instance: string, level: 'compare' | 'tree'): void {
    if (level === 'compare' || !this.#instances.has(instance)) this.#instances.set(instance, level);
    this.#tellSoon();
  }

  noteNamespace(namespace: string): void {
    this.#namespaces.add(namespace);
    this.#tellSoon();
  }

  noteKinds(): void {
    this.#kinds = true;
    this.#tellSoon();
  }

  /** Forgets what has not been told, and the listeners. */
  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#listeners.clear();
  }

  #tellSoon(): void {
    this.#cancel ??= this.#options.timers.schedule(this.#options.coalesceMs, () => this.#tell());
  }

  #tell(): void {
    const change: LiveChange = { instances: this.#instances, namespaces: this.#namespaces, kinds: this.#kinds };
    this.#cancel = undefined;
    this.#instances = new Map();
    this.#namespaces = new Set();
    this.#kinds = false;
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#options.log.error('A listener of live changes failed', { error });
      }
    }
  }
}
