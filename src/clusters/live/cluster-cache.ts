import { ApiError, Code, type Timers } from '../../base/index.ts';
import type { DiscoveredResource, KubeApi } from '../../kube/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { CacheContext } from './cache-context.ts';
import { CacheRun } from './cache-run.ts';
import { ChangeBatch } from './change-batch.ts';
import { chooseKinds } from './choose-kinds.ts';
import { EventCounts } from './event-counts.ts';
import { isKindIncluded } from './kind-filter.ts';
import type { ChangePace, KindTrouble, LiveCache, LiveCacheState, LiveChange, LiveTarget, TreeRow } from './live-cache.ts';
import type { LiveRow, ObjectKeyParts } from './live-row.ts';
import { loadLiveObjects } from './load-live-objects.ts';
import { walkTree } from './walk-tree.ts';

/** How long those who listen have to show that they need a cluster that nobody has asked for. */
const IDLE_GRACE_MS = 60_000;

export interface ClusterCacheOptions {
  readonly connect: () => KubeApi;
  /** As registration and settings are now; asked at each start. */
  readonly context: () => Omit<CacheContext, 'batch' | 'events' | 'shareText'>;
}

/** The cache of one cluster, over all its lives: idle until somebody needs it, and again when nobody does. */
export class ClusterCache implements LiveCache {
  readonly #options: ClusterCacheOptions;
  readonly #timers: Timers;
  readonly #batch: ChangeBatch;
  readonly events = new EventCounts();
  readonly #ending = new Set<Promise<void>>();
  #run: CacheRun | undefined;
  /** What the cluster served at the end of the last life. */
  #known: readonly DiscoveredResource[] = [];
  #isClosed = false;
  #usedAtMs = 0;
  #cancelIdle: (() => void) | undefined;

  constructor(options: ClusterCacheOptions) {
    this.#options = options;
    const { timers, log, limits } = options.context();
    this.#timers = timers;
    this.#batch = new ChangeBatch({ timers, log, coalesceMs: limits.coalesceMs });
  }

  get state(): LiveCacheState {
    if (this.#isClosed) return { name: 'stopped' };
    return this.#run?.state ?? { name: 'idle' };
  }

  get counts(): { readonly kinds: number; readonly rows: number } {
    return this.#run?.counts() ?? { kinds: 0, rows: 0 };
  }

  get resources(): readonly DiscoveredResource[] {
    return this.#run?.resources ?? [];
  }

  get serverVersion(): string {
    return this.#run?.serverVersion ?? '';
  }

  get outage(): string | undefined {
    return this.#run?.outage;
  }

  start(): void {
    if (this.#isClosed) throw new ApiError(Code.Unavailable, 'the cluster is no longer registered like this');
    this.#usedAtMs = this.#timers.nowMs();
    if (this.#run !== undefined) return;
    const context = this.#options.context();
    this.#run = new CacheRun({
      connect: this.#options.connect,
      known: this.#known,
      context: { ...context, batch: this.#batch, events: this.events, shareText: createTextShare() },
    });
    this.#run.start();
    this.#watchUse(context.limits.idleMs);
  }

  async whenSynced(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.start();
    const synced = this.#run?.whenSynced() ?? Promise.resolve();
    if (signal === undefined) return await synced;
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await Promise.race([synced, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  invalidate(): void {
    if (this.#run === undefined) return;
    this.#end();
    this.start();
    this.#batch.noteKinds();
  }

  /** The kinds that are wanted may be others now; what is followed already is not read again. */
  rediscover(): void {
    this.#run?.rediscover();
  }

  managed(instance: string): ReadonlyMap<string, LiveRow> {
    return this.#synced().followers.index.managed(instance);
  }

  async liveObjects(instance: string, targets: Iterable<LiveTarget>, signal?: AbortSignal): Promise<Map<string, KubeObject>> {
    const { registration } = this.#options.context();
    return await loadLiveObjects({
      ...this.#synced(),
      registration,
      typeOf: (kind) => this.typeOf(kind),
      onUnserved: () => this.rediscover(),
      instance,
      targets,
      signal,
    });
  }

  find({ group, kind, namespace = '', name }: ObjectKeyParts): LiveRow | undefined {
    return this.#synced().followers.find(group, kind, namespace, name);
  }

  isKnown({ group, kind, namespace = '' }: Omit<ObjectKeyParts, 'name'>): boolean {
    return this.#synced().followers.isKnown(group, kind, namespace);
  }

  isHidden(key: Omit<ObjectKeyParts, 'name'>): boolean {
    if (this.isKnown(key)) return false;
    const { registration, snapshot } = this.#options.context();
    const { resourceExclusions: exclusions, resourceInclusions: inclusions } = snapshot().general;
    const served = this.resources.filter(({ group, kind }) => group === key.group && kind === key.kind);
    return chooseKinds(served, { ...registration, exclusions, inclusions }).some(
      ({ namespace }) => namespace === undefined || namespace === key.namespace,
    );
  }

  doubt({ group, kind, namespace = '' }: Omit<ObjectKeyParts, 'name'>): void {
    this.#synced().followers.doubt(group, kind, namespace);
  }

  isExcluded(kind: { readonly group: string; readonly kind: string }): boolean {
    const { registration, snapshot } = this.#options.context();
    const { resourceExclusions: exclusions, resourceInclusions: inclusions } = snapshot().general;
    return !isKindIncluded(kind, { exclusions, inclusions, server: registration.server });
  }

  tree(roots: Iterable<ObjectKeyParts>): readonly TreeRow[] {
    const { followers } = this.#synced();
    const found = [...roots].flatMap(({ group, kind, namespace = '', name }) => followers.find(group, kind, namespace, name) ?? []);
    return walkTree(followers.index, found);
  }

  topLevel(namespace: string): Iterable<LiveRow> {
    return this.#synced().followers.index.topLevel(namespace);
  }

  podsOn(node: string): Iterable<LiveRow> {
    return this.#synced().followers.index.podsOn(node);
  }

  rowsOf({ group, kind }: { readonly group: string; readonly kind: string }): Iterable<LiveRow> {
    return this.#synced().followers.rowsOf(group, kind);
  }

  onChange(listener: (change: LiveChange) => void, pace: ChangePace = 'gathered'): () => void {
    return this.#batch.listen(listener, pace);
  }

  troubles(): readonly KindTrouble[] {
    return this.#run?.troubles() ?? [];
  }

  typeOf(kind: { readonly group: string; readonly kind: string; readonly version?: string }): DiscoveredResource | undefined {
    const served = this.resources.filter((one) => one.group === kind.group && one.kind === kind.kind);
    return served.find(({ version }) => version === kind.version) ?? served.find(({ preferred }) => preferred) ?? served[0];
  }

  /** For good; resolves when nothing of it works any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    this.#batch.close();
    await Promise.all(this.#ending);
  }

  #synced(): CacheRun['synced'] {
    this.#usedAtMs = this.#timers.nowMs();
    if (this.#run === undefined) throw new ApiError(Code.Unavailable, 'the cluster has not been read');
    return this.#run.synced;
  }

  #end(): void {
    this.#cancelIdle?.();
    const ending = this.#run?.stop().finally(() => this.#ending.delete(ending as Promise<void>));
    if (ending !== undefined) this.#ending.add(ending);
    if (this.resources.length > 0) this.#known = this.resources;
    this.#run = undefined;
  }

  /**
   * A cluster that no application uses any more is let go after a while. Those who only listen are told first, as if its kinds
   * had changed: whoever still needs it looks, and it stays.
   */
  #watchUse(limitMs: number): void {
    const wait = (delayMs: number, run: () => void): void => {
      this.#cancelIdle = this.#timers.schedule(delayMs, run);
    };
    const look = (): void => {
      const nowMs = this.#timers.nowMs();
      const idleMs = nowMs - this.#usedAtMs;
      if (idleMs < limitMs) return wait(limitMs - idleMs, look);
      this.#batch.noteKinds();
      wait(Math.min(IDLE_GRACE_MS, limitMs), () => (this.#usedAtMs > nowMs ? look() : this.#end()));
    };
    wait(limitMs, look);
  }
}

/** More than namespaces and names of applications have. */
const SHARED_CHARACTERS_MAX = 512;
const SHARED_TEXTS_MAX = 50_000;

/**
 * Texts that many rows repeat are kept once. They are few: namespaces and applications. Whoever marks an object says of which application it is,
 * though, and may say something else each time: then they are forgotten.
 */
function createTextShare(): (text: string) => string {
  const texts = new Map<string, string>();
  return (text) => {
    if (text.length > SHARED_CHARACTERS_MAX) return text;
    const known = texts.get(text);
    if (known !== undefined) return known;
    if (texts.size >= SHARED_TEXTS_MAX) texts.clear();
    texts.set(text, text);
    return text;
  };
}
