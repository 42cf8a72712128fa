import { pause, systemTimers, type Logger, type Timers } from '../../base/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { KubeApi, ObjectRef, ResourceType } from '../kube-api.ts';
import { createReflector, type Reflector, type ReflectorEvent, type ReflectorLimits, type Trouble } from '../reflector/index.ts';

export interface ObjectStoreOptions {
  readonly api: KubeApi;
  readonly type: ResourceType;
  /** All namespaces unless given. */
  readonly namespace?: string;
  readonly log: Logger;
  readonly timers?: Timers;
  readonly limits?: Partial<ReflectorLimits>;
}

/** `previous` is the object as it was known before: undefined where it was not. */
export interface ObjectChange {
  readonly type: 'added' | 'changed' | 'removed';
  /** As it is now, or as it last was. */
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
}

/** What is known of the objects of a kind. They are shared and must not be changed. */
export interface ObjectStore {
  readonly type: ResourceType;
  readonly synced: boolean;
  /** Why what is known may be out of date; undefined while all is well. */
  readonly trouble: Trouble | undefined;
  /**
   * Up to here everything is known, `0` before the first list. It follows the watch alone: answers to writes overtake one another, and who
   * watches on from the version of one would not be told of another that is older.
   */
  readonly resourceVersion: string;
  readonly size: number;
  get(ref: ObjectRef): KubeObject | undefined;
  values(): IterableIterator<KubeObject>;
  /** Is told each change, in order and in the same turn; must return quickly and not throw. Returns what ends it. */
  subscribe(listener: (change: ObjectChange) => void): () => void;
  /** Takes the API's answer to a write, so that it is seen before the watch tells of it. */
  noticeWrite(object: KubeObject): void;
  /** Somebody knows of something that has not been told here: the watch may be dead without a sign, and is begun anew. */
  doubt(): void;
  /** Resolves to true once everything has been listed, to false if that is not so within the time or before a stop. */
  whenSynced(limitMs: number, signal?: AbortSignal): Promise<boolean>;
  start(): void;
  stop(): Promise<void>;
}

export function createObjectStore(options: ObjectStoreOptions): ObjectStore {
  return new ReflectedStore(options);
}

class ReflectedStore implements ObjectStore {
  readonly type: ResourceType;
  readonly #timers: Timers;
  readonly #objects = new Map<string, KubeObject>();
  readonly #listeners = new Set<(change: ObjectChange) => void>();
  readonly #reflector: Reflector<undefined>;
  /** As lists and watches told them last, those of which a write of ours has told more. */
  readonly #toldBefore = new Map<string, KubeObject>();
  #told = 0;

  constructor(options: ObjectStoreOptions) {
    const { api, type, namespace, log, limits, timers = systemTimers } = options;
    this.type = type;
    this.#timers = timers;
    this.#reflector = createReflector({
      api,
      type,
      log,
      timers,
      ...(namespace !== undefined && { namespace }),
      ...(limits && { limits }),
      onEvent: (event) => this.#see(event),
    });
  }

  get synced(): boolean {
    return this.#reflector.synced;
  }

  get trouble(): Trouble | undefined {
    return this.#reflector.trouble;
  }

  get resourceVersion(): string {
    return String(this.#told);
  }

  get size(): number {
    return this.#objects.size;
  }

  get(ref: ObjectRef): KubeObject | undefined {
    return this.#objects.get(keyOf(ref));
  }

  values(): IterableIterator<KubeObject> {
    return this.#objects.values();
  }

  subscribe(listener: (change: ObjectChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  noticeWrite(object: KubeObject): void {
    const key = keyOf(refOf(object));
    const known = this.#objects.get(key);
    // What the watch has told of since, or has already taken away, is not brought back.
    if (known === undefined ? versionOf(object) <= this.#told : versionOf(object) <= versionOf(known)) return;
    if (known !== undefined && !this.#toldBefore.has(key)) this.#toldBefore.set(key, known);
    this.#put(object);
  }

  doubt(): void {
    this.#reflector.doubt();
  }

  async whenSynced(limitMs: number, signal?: AbortSignal): Promise<boolean> {
    if (this.synced) return true;
    const over = new AbortController();
    const stop = (): void => over.abort();
    signal?.addEventListener('abort', stop);
    try {
      return await Promise.race([this.#reflector.whenSynced(), pause(this.#timers, limitMs, over.signal).then(() => this.synced)]);
    } finally {
      signal?.removeEventListener('abort', stop);
      over.abort();
    }
  }

  start(): void {
    this.#reflector.start();
  }

  stop(): Promise<void> {
    return this.#reflector.stop();
  }

  #see(event: ReflectorEvent<undefined>): void {
    if (event.type === 'synced') return this.#seeList(Number(event.resourceVersion) || 0);
    if (event.type === 'removed') this.#remove(event.key, event.object);
    else this.#take(event.object);
    // The objects of a list come in any order: how far it goes counts when it has ended.
    const isWatched = this.#reflector.state.name === 'watching';
    if (isWatched && event.object !== undefined) this.#told = Math.max(this.#told, versionOf(event.object));
  }

  #seeList(listVersion: number): void {
    if (listVersion > 0 && listVersion < this.#told) {
      this.#goBack();
      this.#told = listVersion;
      return;
    }
    this.#dropGhosts(listVersion);
    this.#told = Math.max(this.#told, listVersion);
  }

  /** A list is never older than what was told before, unless the API was set back, as to a backup: then only what it lists counts. */
  #goBack(): void {
    for (const [key, object] of this.#toldBefore) if (this.#reflector.has(key)) this.#put(object);
    for (const key of this.#objects.keys()) if (!this.#reflector.has(key)) this.#remove(key, undefined);
    this.#toldBefore.clear();
  }

  #take(object: KubeObject): void {
    const key = keyOf(refOf(object));
    const known = this.#objects.get(key);
    const isSame = known?.metadata.uid === object.metadata.uid;
    // The answer to a write of ours may have come first.
    if (known !== undefined && isSame && versionOf(known) > versionOf(object)) return void this.#toldBefore.set(key, object);
    this.#toldBefore.delete(key);
    if (known === undefined || !isSame || versionOf(known) < versionOf(object)) this.#put(object);
  }

  /** What we know from our own writes, and was deleted before any watch told of it: a list that is as new does not name it. */
  #dropGhosts(listVersion: number): void {
    for (const [key, object] of this.#objects)
      if (!this.#reflector.has(key) && versionOf(object) <= listVersion) this.#remove(key, undefined);
  }

  #put(object: KubeObject): void {
    const key = keyOf(refOf(object));
    const previous = this.#objects.get(key);
    this.#objects.set(key, object);
    this.#tell({ type: previous === undefined ? 'added' : 'changed', object, previous });
  }

  #remove(key: string, last: KubeObject | undefined): void {
    const known = this.#objects.get(key);
    if (known === undefined) return;
    // An object that was made anew under the same name, and of which we know from our own write.
    if (last !== undefined && known.metadata.uid !== last.metadata.uid && versionOf(known) > versionOf(last)) return;
    this.#objects.delete(key);
    this.#toldBefore.delete(key);
    this.#tell({ type: 'removed', object: last ?? known, previous: known });
  }

  #tell(change: ObjectChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function refOf({ metadata }: KubeObject): ObjectRef {
  return { name: metadata.name ?? '', ...(metadata.namespace !== undefined && { namespace: metadata.namespace }) };
}

function keyOf({ namespace = '', name }: ObjectRef): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** Versions are numbers that grow, in every API server that there is. */
function versionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion ?? 0) || 0;
}
