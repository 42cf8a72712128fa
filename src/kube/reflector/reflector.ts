import { setImmediate as nextTurn } from 'node:timers/promises';
import { pause, systemClock, systemTimers, type Clock, type Timers } from '../../base/index.ts';
import { StatusError, type KubeObject } from '../../objects/index.ts';
import type { ListOptions, ResourceType, WatchEvent } from '../kube-api.ts';
import { isServed } from './is-served.ts';
import { Recovery } from './recovery.ts';
import {
  defaultLimits,
  type ReflectorEvent,
  type ReflectorLimits,
  type ReflectorOptions,
  type ReflectorState,
} from './reflector-options.ts';
import { keyOf, RowStore } from './row-store.ts';
import { describeTrouble, isExpired, ReflectorFailure, type Trouble } from './trouble.ts';
import { watchEvents } from './watch-events.ts';
import { withLimit } from '../with-limit.ts';

/** After so many events the rest of the process has a turn, also where the API answers without ever making us wait. */
const EVENTS_PER_TURN = 256;

/** How often what has happened, since the start. */
export interface ReflectorCounts {
  readonly lists: number;
  readonly watches: number;
  readonly events: number;
  readonly failures: number;
  /** Events whose handler threw. */
  readonly handlerFailures: number;
}

/** Follows the objects of one kind, and finds its own way back from every failure. */
export interface Reflector<Row> {
  readonly type: ResourceType;
  readonly state: ReflectorState;
  /** Why the rows may be out of date; undefined while all is well. It stays through the next attempt, until that succeeds. */
  readonly trouble: Trouble | undefined;
  /** True once a list has been read to its end. */
  readonly synced: boolean;
  readonly size: number;
  readonly counts: ReflectorCounts;
  has(key: string): boolean;
  get(key: string): Row | undefined;
  rows(): IterableIterator<[string, Row]>;
  /**
   * Somebody knows of something that has not been told here: the watch is begun anew from where it stands, as it may be dead without a sign.
   * One that has only just begun is left alone.
   */
  doubt(): void;
  start(): void;
  /** Resolves when the last event has been handled; no more follow. */
  stop(): Promise<void>;
  /** Resolves to true after the first complete list, to false if the reflector is stopped before that. */
  whenSynced(): Promise<boolean>;
}

/** Without `keep` nothing is remembered of an object but that it is there, and in which version. */
export function createReflector(options: Omit<ReflectorOptions<undefined>, 'keep'> & { readonly keep?: undefined }): Reflector<undefined>;
export function createReflector<Row>(options: ReflectorOptions<Row>): Reflector<Row>;
export function createReflector<Row>(
  options: Omit<ReflectorOptions<Row | undefined>, 'keep'> & { readonly keep?: ((object: KubeObject) => Row) | undefined },
): Reflector<Row | undefined> {
  return new ListWatchReflector({ ...options, keep: options.keep ?? (() => undefined) });
}

class ListWatchReflector<Row> implements Reflector<Row> {
  readonly type: ResourceType;
  readonly #options: ReflectorOptions<Row>;
  readonly #limits: ReflectorLimits;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #random: () => number;
  readonly #store: RowStore<Row>;
  readonly #recovery: Recovery;
  readonly #stopping = new AbortController();
  readonly #firstSync = Promise.withResolvers<boolean>();
  readonly #counts = { lists: 0, watches: 0, events: 0, failures: 0, handlerFailures: 0 };
  #state: ReflectorState = { name: 'listing' };
  #trouble: Trouble | undefined;
  #synced = false;
  #running: Promise<void> | undefined;
  /** Where to go on watching; undefined where a list must come first. */
  #version: string | undefined;
  #watchable = true;
  #watchBeganMs: number | undefined;
  #endWatch: (() => void) | undefined;
  #expiredLists = 0;

  constructor(options: ReflectorOptions<Row>) {
    this.type = options.type;
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#clock = options.clock ?? systemClock;
    this.#timers = options.timers ?? systemTimers;
    this.#random = options.random ?? Math.random;
    this.#store = new RowStore(options.keep);
    this.#recovery = new Recovery(this.#limits, this.#random);
  }

  get state(): ReflectorState {
    return this.#state;
  }

  get trouble(): Trouble | undefined {
    return this.#trouble;
  }

  get synced(): boolean {
    return this.#synced;
  }

  get size(): number {
    return this.#store.size;
  }

  get counts(): ReflectorCounts {
    return { ...this.#counts };
  }

  has(key: string): boolean {
    return this.#store.has(key);
  }

  get(key: string): Row | undefined {
    return this.#store.get(key);
  }

  rows(): IterableIterator<[string, Row]> {
    return this.#store.rows();
  }

  doubt(): void {
    if (this.#watchBeganMs === undefined || this.#timers.nowMs() - this.#watchBeganMs < this.#limits.doubtMs) return;
    this.#options.log.info('A watch is begun anew, as it has not told what others know', { type: describeType(this.type) });
    this.#endWatch?.();
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#setState({ name: 'stopped' });
    this.#firstSync.resolve(false);
  }

  whenSynced(): Promise<boolean> {
    return this.#firstSync.promise;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        if (this.#version === undefined) await this.#list();
        if (this.#watchable) await this.#watch();
        else await this.#poll();
      } catch (error) {
        if (!signal.aborted) await this.#recover(error);
      }
      this.#watchBeganMs = undefined;
    }
  }

  /** A page token may expire while a long list is read: it is begun once more, with larger pages, before that counts as a failure. */
  async #list(): Promise<void> {
    this.#setState({ name: 'listing' });
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#version = await this.#listOnce(this.#limits.pageSize * 4 ** Math.min(this.#expiredLists, 8));
        break;
      } catch (error) {
        if (!isExpired(error)) throw error;
        this.#expiredLists += 1;
        if (attempt > 1) throw error;
      }
    }
    this.#expiredLists = 0;
    this.#recovery.noteProgress();
    this.#synced = true;
    this.#clearTrouble();
    await this.#deliver({ type: 'synced', resourceVersion: this.#version });
    this.#firstSync.resolve(true);
  }

  /** Reads every page, and returns the version from which to watch. */
  async #listOnce(limit: number): Promise<string> {
    this.#counts.lists += 1;
    this.#store.beginList();
    let token: string | undefined;
    for (;;) {
      const page = await this.#request((signal) =>
        this.#options.api.list(this.type, { ...this.#selection(), limit, signal, ...(token !== undefined && { continue: token }) }),
      );
      for (const object of page.items) await this.#put(object);
      token = page.metadata.continue;
      if (token !== undefined && token !== '') {
        await nextTurn();
        continue;
      }
      for (const key of this.#store.unlisted()) await this.#remove(key);
      return page.metadata.resourceVersion;
    }
  }

  async #watch(): Promise<void> {
    const { api } = this.#options;
    const timeoutSeconds = Math.ceil((this.#limits.watchMs * (1 + this.#random())) / 1000);
    const resourceVersion = this.#version ?? '';
    this.#watchBeganMs = this.#timers.nowMs();
    this.#counts.watches += 1;
    this.#setState({ name: 'watching', sinceMs: this.#clock.nowMs() });
    let cancel = (): void => undefined;
    const onOpen = (): void => {
      this.#watchBeganMs = this.#timers.nowMs();
      // A watch may be well for a long time without an event to show for it.
      cancel();
      cancel = this.#timers.schedule(this.#limits.watchMinMs, () => this.#clearTrouble());
    };
    const ending = new AbortController();
    const end = (): void => ending.abort();
    this.#stopping.signal.addEventListener('abort', end, { once: true });
    if (this.#stopping.signal.aborted) end();
    this.#endWatch = end;
    try {
      const open = (signal: AbortSignal): AsyncIterable<WatchEvent> =>
        api.watch(this.type, { ...this.#selection(), resourceVersion, allowBookmarks: true, timeoutSeconds, signal, onOpen });
      const { stallMs } = this.#limits;
      for await (const event of watchEvents({ open, stallMs, timers: this.#timers, signal: ending.signal })) {
        await this.#apply(event);
      }
    } finally {
      cancel();
      this.#endWatch = undefined;
      this.#stopping.signal.removeEventListener('abort', end);
    }
    const livedMs = this.#timers.nowMs() - this.#watchBeganMs;
    this.#recovery.noteWatchEnd(livedMs);
    if (livedMs >= this.#limits.watchMinMs || ending.signal.aborted) return;
    throw new ReflectorFailure('ended', 'the API ended the watch as soon as it had begun');
  }

  async #apply(event: WatchEvent): Promise<void> {
    if (event.type === 'ERROR') throw new StatusError(event.object);
    const { object } = event;
    if (event.type === 'DELETED') await this.#remove(keyOf(object), object);
    else if (event.type !== 'BOOKMARK') await this.#put(object);
    // Only after the handler has had it: a stop in between must not lose the event for a reader of the version.
    this.#version = object.metadata.resourceVersion ?? this.#version;
    this.#recovery.noteProgress();
    this.#clearTrouble();
  }

  async #poll(): Promise<void> {
    const { pollMs } = this.#limits;
    const delayMs = pollMs * (1 - this.#random() / 10);
    this.#recovery.forgetFailures();
    this.#setState({ name: 'polling', untilMs: this.#clock.nowMs() + delayMs });
    await pause(this.#timers, delayMs, this.#stopping.signal);
    this.#version = undefined;
  }

  async #recover(error: unknown): Promise<void> {
    let trouble = describeTrouble(error);
    if (this.#watchBeganMs === undefined) trouble = await this.#judgeList(trouble);
    else {
      this.#recovery.noteWatchEnd(this.#timers.nowMs() - this.#watchBeganMs);
      if (trouble.reason === 'unsupported') {
        this.#watchable = false;
        return;
      }
      trouble = await this.#judgeWatch(trouble);
    }
    this.#counts.failures += 1;
    if (trouble.reason === 'unexpected') this.#options.log.error('A reflector failed', { type: describeType(this.type), error });
    this.#raiseTrouble(trouble);
    const delayMs = this.#recovery.nextDelayMs(trouble);
    this.#setState({ name: 'waiting', cause: trouble, untilMs: this.#clock.nowMs() + delayMs });
    await pause(this.#timers, delayMs, this.#stopping.signal);
  }

  /** Rows are dropped only on the word of discovery: a refusal alone does not mean that nothing is there. */
  async #judgeList(trouble: Trouble): Promise<Trouble> {
    if (trouble.code !== 404 || !(await this.#isGone())) return trouble;
    for (const key of this.#store.keys()) await this.#remove(key);
    return { ...trouble, reason: 'gone', message: `the API does not serve ${describeType(this.type)}` };
  }

  async #judgeWatch(trouble: Trouble): Promise<Trouble> {
    const plan = this.#recovery.planWatch(trouble);
    if (plan === 'resume') return trouble;
    const hidden = plan === 'ask' ? await this.#probe() : undefined;
    const hasName = hidden !== undefined && hidden.reason !== 'unreachable' && hidden.reason !== 'throttled';
    if (plan === 'relist' || hasName) this.#version = undefined;
    return hasName ? hidden : trouble;
  }

  /**
   * Asks for one object; returns what is wrong with that. An API that was set back, as to a backup, says nothing to whoever watches on from
   * a version that it has not reached again.
   */
  async #probe(): Promise<Trouble | undefined> {
    try {
      const { metadata } = await this.#request((signal) => this.#options.api.list(this.type, { ...this.#selection(), limit: 1, signal }));
      if (!isBehind(metadata.resourceVersion, this.#version)) return undefined;
      return { reason: 'expired', message: 'the API was set back to an older version than the one that was watched' };
    } catch (error) {
      return describeTrouble(error);
    }
  }

  async #isGone(): Promise<boolean> {
    try {
      return !(await this.#request((signal) => isServed(this.#options.api, this.type, signal)));
    } catch {
      // Without an answer the kind is taken to be there; the refusal of the list is reported either way.
      return false;
    }
  }

  #request<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return withLimit({ timers: this.#timers, limitMs: this.#limits.pageTimeoutMs, signal: this.#stopping.signal }, run);
  }

  #selection(): Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'> {
    const { namespace, labelSelector, fieldSelector } = this.#options;
    return {
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
    };
  }

  async #put(object: KubeObject): Promise<void> {
    try {
      const change = this.#store.put(object);
      if (change !== undefined) await this.#deliver({ ...change, object });
    } catch (error) {
      this.#reportHandler(error, keyOf(object));
    }
  }

  async #remove(key: string, object?: KubeObject): Promise<void> {
    const removed = this.#store.remove(key);
    if (removed !== undefined) await this.#deliver({ type: 'removed', ...removed, ...(object && { object }) });
  }

  async #deliver(event: ReflectorEvent<Row>): Promise<void> {
    // What is stopped keeps quiet; a later reflector lists everything again.
    if (this.#stopping.signal.aborted) return;
    this.#counts.events += 1;
    if (this.#counts.events % EVENTS_PER_TURN === 0) await nextTurn();
    try {
      await this.#options.onEvent(event);
    } catch (error) {
      this.#reportHandler(error, event.type === 'synced' ? undefined : event.key);
    }
  }

  #reportHandler(error: unknown, key: string | undefined): void {
    this.#counts.handlerFailures += 1;
    this.#options.log.error('An event could not be handled', { type: describeType(this.type), key, error });
  }

  #setState(state: ReflectorState): void {
    this.#state = state;
    try {
      this.#options.onState?.(state);
    } catch (error) {
      this.#reportHandler(error, undefined);
    }
  }

  #raiseTrouble(trouble: Trouble): void {
    const isNews = this.#trouble?.reason !== trouble.reason || this.#trouble.message !== trouble.message;
    this.#trouble = trouble;
    const { reason, message, code } = trouble;
    if (isNews) this.#options.log.warn('A kind cannot be followed', { type: describeType(this.type), reason, code, cause: message });
  }

  #clearTrouble(): void {
    if (this.#trouble === undefined) return;
    this.#trouble = undefined;
    this.#options.log.info('A kind is followed again', { type: describeType(this.type) });
  }
}

/** Versions are numbers that grow; what does not look like one tells nothing. */
function isBehind(version: string, known: string | undefined): boolean {
  return Number(version) > 0 && Number(version) < Number(known ?? 0);
}

function describeType({ group, version, plural }: ResourceType): string {
  return group === '' ? `${version}/${plural}` : `${group}/${version}/${plural}`;
}
