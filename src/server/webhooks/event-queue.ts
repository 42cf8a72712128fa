import type { Logger } from '../../base/index.ts';
import { boundFiles, type WebhookEvent } from './webhook-event.ts';

export interface EventQueueOptions {
  /** How many different events may wait. */
  readonly sizeMax: number;
  readonly work: (event: WebhookEvent) => void;
  readonly log: Logger;
}

/** Files of all waiting events together: beyond this, what changed is forgotten, and everything counts as changed. */
const filesMax = 500_000;

/** Events that wait for their turn, one per turn of the event loop. What tells the same thing as one that already waits joins it. */
export class EventQueue {
  readonly #options: EventQueueOptions;
  readonly #waiting = new Map<string, WebhookEvent>();
  #files = 0;
  #scheduled: NodeJS.Immediate | undefined;
  #stopped = false;

  constructor(options: EventQueueOptions) {
    this.#options = options;
  }

  /** Takes all of them, or none where there is no room. */
  addAll(events: readonly WebhookEvent[]): boolean {
    const fresh = new Set(events.map(keyOf).filter((key) => !this.#waiting.has(key)));
    if (this.#stopped || this.#waiting.size + fresh.size > this.#options.sizeMax) return false;
    for (const event of events) this.#add(event);
    this.#schedule();
    return true;
  }

  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
    clearImmediate(this.#scheduled);
  }

  #add(event: WebhookEvent): void {
    const key = keyOf(event);
    const known = this.#waiting.get(key);
    this.#files -= filesOf(known);
    let joined = known === undefined ? event : join(known, event);
    if (joined.type === 'push' && this.#files + filesOf(joined) > filesMax) joined = { ...joined, changedFiles: undefined };
    this.#files += filesOf(joined);
    this.#waiting.set(key, joined);
  }

  #schedule(): void {
    if (this.#scheduled === undefined && this.#waiting.size > 0) this.#scheduled = setImmediate(() => this.#workOne());
  }

  #workOne(): void {
    this.#scheduled = undefined;
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [key, event] = first;
    this.#waiting.delete(key);
    this.#files -= filesOf(event);
    try {
      this.#options.work(event);
    } catch (error) {
      // One payload that nobody thought of must not hold up the others.
      this.#options.log.error('a webhook could not be worked on', { error });
    }
    this.#schedule();
  }
}

function join(one: WebhookEvent, other: WebhookEvent): WebhookEvent {
  if (one.type !== 'push' || other.type !== 'push') return one;
  const changedFiles = one.changedFiles && other.changedFiles && boundFiles([...one.changedFiles, ...other.changedFiles]);
  return { ...one, changedFiles, touchesHead: one.touchesHead || other.touchesHead };
}

function keyOf(event: WebhookEvent): string {
  if (event.type !== 'push') return JSON.stringify(event);
  return JSON.stringify([event.repositories, event.revision]);
}

function filesOf(event: WebhookEvent | undefined): number {
  return event?.type === 'push' ? (event.changedFiles?.size ?? 0) : 0;
}
