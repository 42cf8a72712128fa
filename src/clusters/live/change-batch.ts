import type { Logger, Timers } from '../../base/index.ts';
import type { ChangePace, LiveChange } from './live-cache.ts';

export interface ChangeBatchOptions {
  readonly timers: Timers;
  readonly log: Logger;
  readonly coalesceMs: number;
}

/** What comes within this time after a quiet while is mostly one change: an object and what its owners say about it. */
const soonMs = 10;

/** Gathers what changed for a moment, and tells it to all listeners at once: to those who work on it, and sooner to those who only look. */
export class ChangeBatch {
  readonly #rounds: Readonly<Record<ChangePace, Round>>;

  constructor(options: ChangeBatchOptions) {
    this.#rounds = { gathered: new Round(options, options.coalesceMs), soon: new Round(options, Math.min(soonMs, options.coalesceMs)) };
  }

  listen(listener: (change: LiveChange) => void, pace: ChangePace): () => void {
    return this.#rounds[pace].listen(listener);
  }

  noteInstance(instance: string, level: 'compare' | 'tree'): void {
    for (const round of this.#noting()) {
      if (level === 'compare' || !round.instances.has(instance)) round.instances.set(instance, level);
      round.tellSoon();
    }
  }

  noteNamespace(namespace: string): void {
    for (const round of this.#noting()) {
      round.namespaces.add(namespace);
      round.tellSoon();
    }
  }

  noteKinds(): void {
    for (const round of this.#noting()) {
      round.kinds = true;
      round.tellSoon();
    }
  }

  /** Forgets what has not been told, and the listeners. */
  close(): void {
    for (const round of Object.values(this.#rounds)) round.close();
  }

  /** Who begins to look looks at everything: what was before need not be told. */
  #noting(): readonly Round[] {
    const { gathered, soon } = this.#rounds;
    return soon.isHeard ? [gathered, soon] : [gathered];
  }
}

/** What will be told next, and to whom. */
class Round {
  readonly #options: ChangeBatchOptions;
  readonly #leadMs: number;
  readonly #listeners = new Set<(change: LiveChange) => void>();
  instances = new Map<string, 'compare' | 'tree'>();
  namespaces = new Set<string>();
  kinds = false;
  #cancel: (() => void) | undefined;
  #toldMs = -Infinity;

  /** After a quiet while changes are told `leadMs` after the first, and never more often than the options say. */
  constructor(options: ChangeBatchOptions, leadMs: number) {
    this.#options = options;
    this.#leadMs = leadMs;
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  listen(listener: (change: LiveChange) => void): () => void {
    // Two who hand in the same function are still two.
    const own = (change: LiveChange): void => listener(change);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  tellSoon(): void {
    if (this.#cancel !== undefined) return;
    const { timers, coalesceMs } = this.#options;
    const delayMs = Math.max(this.#leadMs, this.#toldMs + coalesceMs - timers.nowMs());
    this.#cancel = timers.schedule(delayMs, () => this.#tell());
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#listeners.clear();
  }

  #tell(): void {
    const change: LiveChange = { instances: this.instances, namespaces: this.namespaces, kinds: this.kinds };
    this.#cancel = undefined;
    this.#toldMs = this.#options.timers.nowMs();
    this.instances = new Map();
    this.namespaces = new Set();
    this.kinds = false;
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#options.log.error('A listener of live changes failed', { error });
      }
    }
  }
}
