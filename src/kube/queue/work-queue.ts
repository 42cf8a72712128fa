import { setImmediate as nextTurn } from 'node:timers/promises';
import { backOffMs, pause, systemTimers, type BackOffOptions, type Logger, type Timers } from '../../base/index.ts';
import { DueHeap, type Due } from './due-heap.ts';
import { Fifo } from './fifo.ts';

/** `done`: nothing more until somebody adds the key again. Otherwise the key runs again after the time, or when it is added before. */
export type WorkResult = 'done' | { readonly requeueAfterMs: number };

/** Is told what happens, for metrics. It must not throw. */
export interface WorkObserver {
  added?(group: string): void;
  /** `waitedMs` from when the key became ready. */
  started?(group: string, waitedMs: number): void;
  finished?(group: string, tookMs: number, outcome: 'done' | 'requeued' | 'failed'): void;
}

export interface WorkQueueOptions {
  /**
   * Brings the thing that the key names to where it should be, from its present state: keys carry no event. A throw means that it is
   * tried again after a delay that doubles with each such try that fails; what no retry can mend is the worker's to record, and `done`.
   * The signal is aborted when the queue is drained and the time for that is up, or is cut short.
   */
  readonly work: (key: string, signal: AbortSignal) => Promise<WorkResult>;
  /** Groups take turns, so that one with many keys cannot starve the others; all keys are one group unless given. */
  readonly groupOf?: (key: string) => string;
  /** How many keys are worked on at once. */
  readonly concurrency: number;
  /** How many of one group: a group whose work hangs then leaves room for the others. As many as `concurrency` unless given. */
  readonly concurrencyPerGroup?: number;
  readonly backOff?: BackOffOptions;
  readonly observer?: WorkObserver;
  readonly log: Logger;
  readonly timers?: Timers;
  readonly random?: () => number;
}

export interface WorkQueueCounts {
  /** Keys that could run now. */
  readonly ready: number;
  readonly running: number;
  /** Keys that wait for a time. */
  readonly delayed: number;
  /** How long the key that has been running for the longest time has done so. */
  readonly longestRunningMs: number;
  /** How long all that run now have done so, together. */
  readonly runningMs: number;
}

/**
 * Keys to be worked on. A key is in it once, however often it is added, so it is never longer than there are keys; a key that is
 * added while it runs, runs once more afterwards, and never twice at once.
 */
export interface WorkQueue {
  readonly counts: WorkQueueCounts;
  /** Runs the key as soon as its turn comes, also where it waits for a later time or a retry. */
  add(key: string): void;
  /** The same, before those of its group that wait already. */
  addFirst(key: string): void;
  /** Runs the key after the time; of several such times the soonest counts. */
  addAfter(key: string, delayMs: number): void;
  /** Begins to work; keys may be added before. */
  start(): void;
  /**
   * Begins nothing more, and waits for what runs, up to a limit or until `cutOff` is aborted; then its signal is aborted, and the keys
   * that still run are returned. Keys that have not begun are dropped: whoever starts next finds them by listing.
   */
  drain(limitMs: number, cutOff?: AbortSignal): Promise<readonly string[]>;
}

interface Group {
  readonly name: string;
  /** Keys that others of the group have to wait for. */
  readonly first: Fifo<Item>;
  /** What has come first meanwhile still stands here, and is passed over. */
  readonly ready: Fifo<Item>;
  /** How many wait in both. */
  waiting: number;
  /** Keys that the queue knows of, in whatever place. */
  keys: number;
  running: number;
  /** Whether it stands in the row of groups that take turns. */
  inTurn: boolean;
}

interface Item {
  readonly key: string;
  readonly group: Group;
  place: 'idle' | 'ready' | 'first' | 'running';
  /** Added while it ran. */
  again: false | 'ready' | 'first';
  failures: number;
  /** Whether it runs, or is about to, because the time after its last failure is up. */
  isRetry: boolean;
  sinceMs: number;
  /** After its own result or failure: any run before makes it moot. */
  retry: Due<Item> | undefined;
  /** At somebody's request: it stands, whatever runs before. */
  later: Due<Item> | undefined;
}

const defaultBackOff: BackOffOptions = { firstMs: 500, maxMs: 300_000 };

export function createWorkQueue(options: WorkQueueOptions): WorkQueue {
  return new FairWorkQueue(options);
}

class FairWorkQueue implements WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #timers: Timers;
  readonly #items = new Map<string, Item>();
  readonly #groups = new Map<string, Group>();
  readonly #turns = new Fifo<Group>();
  readonly #running = new Set<Item>();
  readonly #delays = new DueHeap<Item>();
  readonly #aborting = new AbortController();
  readonly #idle = new AbortController();
  #ready = 0;
  #state: 'new' | 'open' | 'draining' = 'new';
  #timer: { readonly dueMs: number; readonly cancel: () => void } | undefined;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
  }

  get counts(): WorkQueueCounts {
    // A Set keeps the order in which the items began.
    const [oldest] = this.#running;
    const nowMs = this.#timers.nowMs();
    let runningMs = 0;
    for (const { sinceMs } of this.#running) runningMs += nowMs - sinceMs;
    return {
      ready: this.#ready,
      running: this.#running.size,
      delayed: this.#delays.size,
      longestRunningMs: oldest === undefined ? 0 : nowMs - oldest.sinceMs,
      runningMs,
    };
  }

  add(key: string): void {
    this.#add(key, 'ready');
  }

  addFirst(key: string): void {
    this.#add(key, 'first');
  }

  addAfter(key: string, delayMs: number): void {
    if (this.#state === 'draining') return;
    const item = this.#itemOf(key);
    this.#options.observer?.added?.(item.group.name);
    const dueMs = this.#timers.nowMs() + Math.max(delayMs, 0);
    if (item.later !== undefined && item.later.dueMs <= dueMs) return;
    if (item.later !== undefined) this.#delays.cancel(item.later);
    item.later = this.#delays.add(item, dueMs);
    this.#setTimer();
  }

  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'open';
    this.#setTimer();
    this.#pump();
  }

  async drain(limitMs: number, cutOff?: AbortSignal): Promise<readonly string[]> {
    this.#state = 'draining';
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#delays.clear();
    const idle = this.#idle.signal;
    if (this.#running.size > 0) await pause(this.#timers, limitMs, cutOff === undefined ? idle : AbortSignal.any([idle, cutOff]));
    this.#aborting.abort();
    return [...this.#running].map(({ key }) => key);
  }

  #add(key: string, place: 'ready' | 'first'): void {
    if (this.#state === 'draining') return;
    const item = this.#itemOf(key);
    this.#options.observer?.added?.(item.group.name);
    this.#makeReady(item, place);
    this.#pump();
  }

  #itemOf(key: string): Item {
    const known = this.#items.get(key);
    if (known !== undefined) return known;
    const item: Item = {
      key,
      group: this.#groupOf(key),
      place: 'idle',
      again: false,
      failures: 0,
      isRetry: false,
      sinceMs: 0,
      retry: undefined,
      later: undefined,
    };
    this.#items.set(key, item);
    item.group.keys += 1;
    return item;
  }

  #groupOf(key: string): Group {
    const name = this.#options.groupOf?.(key) ?? '';
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const group: Group = { name, first: new Fifo(), ready: new Fifo(), waiting: 0, keys: 0, running: 0, inTurn: false };
    this.#groups.set(name, group);
    return group;
  }

  #makeReady(item: Item, place: 'ready' | 'first'): void {
    if (item.place === 'running') item.again = item.again === 'first' ? 'first' : place;
    const isMovedUp = item.place === 'ready' && place === 'first';
    if (item.place !== 'idle' && !isMovedUp) return;
    item.place = place;
    item.group[place].push(item);
    if (isMovedUp) return;
    item.sinceMs = this.#timers.nowMs();
    item.group.waiting += 1;
    this.#ready += 1;
    this.#takeTurn(item.group);
  }

  /** The next of a group in which some wait. */
  #nextOf(group: Group): Item | undefined {
    const first = group.first.shift();
    if (first !== undefined) return first;
    for (let item = group.ready.shift(); item !== undefined; item = group.ready.shift()) if (item.place === 'ready') return item;
    return undefined;
  }

  #takeTurn(group: Group): void {
    const perGroup = this.#options.concurrencyPerGroup ?? this.#options.concurrency;
    if (group.inTurn || group.waiting === 0 || group.running >= perGroup) return;
    group.inTurn = true;
    this.#turns.push(group);
  }

  #pump(): void {
    while (this.#state === 'open' && this.#running.size < this.#options.concurrency) {
      const group = this.#turns.shift();
      const item = group && this.#nextOf(group);
      if (group === undefined || item === undefined) return;
      group.inTurn = false;
      this.#begin(item);
      this.#takeTurn(group);
    }
  }

  #begin(item: Item): void {
    const nowMs = this.#timers.nowMs();
    const waitedMs = nowMs - item.sinceMs;
    this.#ready -= 1;
    item.group.waiting -= 1;
    item.place = 'running';
    item.sinceMs = nowMs;
    item.group.running += 1;
    this.#running.add(item);
    if (item.retry !== undefined) this.#delays.cancel(item.retry);
    item.retry = undefined;
    this.#options.observer?.started?.(item.group.name, waitedMs);
    void this.#run(item);
  }

  async #run(item: Item): Promise<void> {
    let result: WorkResult | undefined;
    // Workers that never wait for anything would otherwise follow each other without letting the rest of the process have a turn.
    await nextTurn();
    // Whatever was asked for until here, this run answers.
    item.again = false;
    try {
      result = await this.#options.work(item.key, this.#aborting.signal);
    } catch (error) {
      this.#options.log.warn('Work on a key failed and will be tried again', { key: item.key, failures: item.failures + 1, error });
    }
    this.#finish(item, result);
  }

  #finish(item: Item, result: WorkResult | undefined): void {
    const nowMs = this.#timers.nowMs();
    const outcome = result === undefined ? 'failed' : result === 'done' ? 'done' : 'requeued';
    this.#options.observer?.finished?.(item.group.name, nowMs - item.sinceMs, outcome);
    this.#running.delete(item);
    item.group.running -= 1;
    item.place = 'idle';
    if (result !== undefined) item.failures = 0;
    // Who is called again and again while something is broken must not wait the longer once it is mended.
    else if (item.isRetry || item.failures === 0) item.failures += 1;
    item.isRetry = false;
    if (this.#state === 'draining') {
      if (this.#running.size === 0) this.#idle.abort();
      return;
    }
    if (item.again) this.#makeReady(item, item.again);
    else if (result !== 'done') this.#retryAfter(item, this.#delayOf(item, result));
    this.#takeTurn(item.group);
    this.#forget(item);
    this.#pump();
  }

  #delayOf(item: Item, result: { readonly requeueAfterMs: number } | undefined): number {
    if (result !== undefined) return Math.max(result.requeueAfterMs, 0);
    return backOffMs(this.#options.backOff ?? defaultBackOff, item.failures, this.#options.random ?? Math.random);
  }

  #retryAfter(item: Item, delayMs: number): void {
    item.retry = this.#delays.add(item, this.#timers.nowMs() + delayMs);
    this.#setTimer();
  }

  /** What is idle and waits for nothing leaves no trace. */
  #forget(item: Item): void {
    if (item.place !== 'idle' || item.retry !== undefined || item.later !== undefined) return;
    this.#items.delete(item.key);
    item.group.keys -= 1;
    if (item.group.keys === 0) this.#groups.delete(item.group.name);
  }

  #setTimer(): void {
    const dueMs = this.#delays.nextMs;
    if (this.#state !== 'open' || dueMs === undefined) return;
    if (this.#timer !== undefined && this.#timer.dueMs <= dueMs) return;
    this.#timer?.cancel();
    this.#timer = { dueMs, cancel: this.#timers.schedule(dueMs - this.#timers.nowMs(), () => this.#wake()) };
  }

  #wake(): void {
    this.#timer = undefined;
    for (let due = this.#delays.take(this.#timers.nowMs()); due !== undefined; due = this.#delays.take(this.#timers.nowMs())) {
      const { item } = due;
      if (item.retry === due) {
        item.retry = undefined;
        item.isRetry = true;
      }
      if (item.later === due) item.later = undefined;
      this.#makeReady(item, 'ready');
    }
    this.#setTimer();
    this.#pump();
  }
}
