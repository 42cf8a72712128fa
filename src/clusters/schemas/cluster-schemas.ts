import { hash } from 'node:crypto';
import { ApiError, LruMap, pause, type Logger, type Timers } from '../../base/index.ts';
import { withLimit, type KubeApi } from '../../kube/index.ts';
import {
  builtinSchema,
  formatApiVersion,
  isStatusError,
  schemaFromOpenApiV3,
  type GroupVersionKind,
  type JsonObject,
  type Schema,
} from '../../objects/index.ts';
import { compactDocument } from './compact-document.ts';

/**
 * How long what a cluster said about its documents is believed. Right after its kinds changed only for a moment, and then longer and longer:
 * a cluster describes a new kind some time after it began to serve it.
 */
const KEEP = { firstMs: 2_000, factor: 2, maxMs: 10 * 60_000 };
/** How long a kind that a cluster serves and does not describe yet is waited for, after its kinds changed, and how often it is asked. */
const SETTLE = { everyMs: 500, attemptsMax: 10 };
/** Between two attempts to read what could not be read. */
const RETRY_MS = 30_000;
/** So many documents are read at once. */
const AT_ONCE = 4;
/** A document that is longer than this after everything needless is gone is not kept: whoever can define kinds could fill our memory. */
const CHARACTERS_MAX = 8_000_000;

export type SchemaOf = (kind: GroupVersionKind) => Schema | undefined;

/** What a cluster says of the fields of its kinds. */
export interface ClusterSchemas {
  /**
   * Reads what is not known yet of these kinds, which the cluster serves. Right after its kinds changed a cluster may not describe them yet: they
   * are waited for, for a few seconds, as comparing without would find differences that are none. A cluster that does not say leaves kinds without a schema: they are compared with what is
   * known of them anyway.
   */
  load(kinds: Iterable<GroupVersionKind>, signal?: AbortSignal): Promise<SchemaOf>;
}

export interface SchemaStoreOptions {
  /** Throws ApiError where the cluster cannot be reached. */
  readonly connect: () => KubeApi;
  readonly server: () => string;
  readonly callMs: number;
  readonly timers: Timers;
  readonly log: Logger;
}

interface Known {
  readonly hash: string;
  /** Undefined where the cluster has none, or none that we can keep. */
  readonly document: JsonObject | undefined;
  /** When to try again, where it could not be read: until then what was known before is better than nothing. */
  readonly retryAtMs?: number;
}

/**
 * Documents by what is in them, for all clusters: those of one Kubernetes version have the same. The name is ours: a cluster that names
 * its own must not be able to give another cluster's kinds their schemas.
 */
const documentsByContent = new LruMap<string, JsonObject>(500);

/** The schemas of one cluster, by group version, each read when first asked for and again when the cluster says that it changed. */
export class SchemaStore implements ClusterSchemas {
  readonly #options: SchemaStoreOptions;
  readonly #documents = new Map<string, Known>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #hashes: ReadonlyMap<string, string> | undefined;
  #untilMs = -Infinity;
  #keepMs = KEEP.firstMs;
  #attemptsLeft = 0;
  #asking: Promise<void> | undefined;

  constructor(options: SchemaStoreOptions) {
    this.#options = options;
  }

  readonly #find: SchemaOf = (kind) => {
    const document = this.#documents.get(formatApiVersion(kind))?.document;
    return document && schemaFromOpenApiV3(document, kind);
  };

  async load(kinds: Iterable<GroupVersionKind>, signal?: AbortSignal): Promise<SchemaOf> {
    const all = [...kinds];
    await this.#loadOnce(all, signal);
    const isDescribed = (kind: GroupVersionKind): boolean =>
      this.#find(kind) !== undefined || builtinSchema(formatApiVersion(kind), kind.kind) !== undefined;
    while (this.#attemptsLeft > 0 && !all.every(isDescribed)) {
      this.#attemptsLeft -= 1;
      await pause(this.#options.timers, SETTLE.everyMs, signal);
      signal?.throwIfAborted();
      this.#untilMs = -Infinity;
      await this.#loadOnce(all, signal);
    }
    return this.#find;
  }

  async #loadOnce(kinds: readonly GroupVersionKind[], signal: AbortSignal | undefined): Promise<void> {
    const wanted = new Set(kinds.map(formatApiVersion));
    if (this.#isStale()) await this.#wait(this.#askHashes(), signal);
    const missing = [...wanted].filter((groupVersion) => !this.#isCurrent(groupVersion));
    for (let start = 0; start < missing.length; start += AT_ONCE) {
      const batch = missing.slice(start, start + AT_ONCE);
      await this.#wait(Promise.all(batch.map((groupVersion) => this.#read(groupVersion))), signal);
    }
  }

  /** The cluster's kinds may have changed: what it says of them is asked for again. */
  expire(): void {
    this.#attemptsLeft = SETTLE.attemptsMax;
    this.#untilMs = -Infinity;
    this.#keepMs = KEEP.firstMs;
  }

  stop(): void {
    this.#stopping.abort();
  }

  #isStale(): boolean {
    return this.#options.timers.nowMs() >= this.#untilMs;
  }

  #isCurrent(groupVersion: string): boolean {
    const known = this.#documents.get(groupVersion);
    // While nobody says what there is, nothing more can be read either.
    if (this.#hashes === undefined) return true;
    if (known?.retryAtMs !== undefined) return this.#options.timers.nowMs() < known.retryAtMs;
    return known !== undefined && known.hash === (this.#hashes.get(groupVersion) ?? '');
  }

  /** Shared by all who wait: one who gives up must not take it from the others. */
  #askHashes(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #ask(): Promise<void> {
    const { timers, log, server } = this.#options;
    // What changes while the question is under way is asked for again.
    this.#untilMs = timers.nowMs() + this.#keepMs;
    this.#keepMs = Math.min(this.#keepMs * KEEP.factor, KEEP.maxMs);
    try {
      this.#hashes = await this.#call(async (api, signal) => {
        const hashes = await api.openApiHashes?.({ signal });
        return hashes ?? new Map<string, string>();
      });
    } catch (error) {
      this.#untilMs = timers.nowMs() + RETRY_MS;
      log.warn('A cluster does not say what its kinds are like', { server: server(), cause: causeOf(error) });
    }
  }

  #read(groupVersion: string): Promise<void> {
    const known = this.#loading.get(groupVersion);
    if (known !== undefined) return known;
    const reading = this.#readDocument(groupVersion).finally(() => this.#loading.delete(groupVersion));
    this.#loading.set(groupVersion, reading);
    return reading;
  }

  async #readDocument(groupVersion: string): Promise<void> {
    const { timers, log, server } = this.#options;
    const named = this.#hashes?.get(groupVersion) ?? '';
    try {
      const document = await this.#call((api, signal) => api.openApi(groupVersion, { signal }));
      this.#documents.set(groupVersion, { hash: named, document: document && this.#share(groupVersion, document) });
    } catch (error) {
      const retryAtMs = timers.nowMs() + RETRY_MS;
      this.#documents.set(groupVersion, { hash: named, document: this.#documents.get(groupVersion)?.document, retryAtMs });
      this.#untilMs = Math.min(this.#untilMs, retryAtMs);
      log.warn('A cluster does not say what a kind is like', { server: server(), groupVersion, cause: causeOf(error) });
    }
  }

  #share(groupVersion: string, document: JsonObject): JsonObject | undefined {
    const compact = compactDocument(document);
    const text = JSON.stringify(compact);
    if (text.length > CHARACTERS_MAX) {
      this.#options.log.warn('A description of kinds is too long to be kept', { server: this.#options.server(), groupVersion });
      return undefined;
    }
    const name = hash('sha256', text, 'base64');
    const known = documentsByContent.get(name);
    if (known !== undefined) return known;
    documentsByContent.set(name, compact);
    return compact;
  }

  #call<Result>(run: (api: KubeApi, signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { timers, callMs, connect } = this.#options;
    return withLimit({ timers, limitMs: callMs, signal: this.#stopping.signal }, (signal) => run(connect(), signal));
  }

  async #wait(done: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
    if (signal === undefined) return void (await done);
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await Promise.race([done, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

function causeOf(error: unknown): string {
  return error instanceof ApiError || isStatusError(error) ? error.message : 'an unexpected failure';
}
