import type { Clock, Logger } from '../base/index.ts';
import type { KubeObject } from '../objects/index.ts';
import type { CallOptions, KubeApi, ListOptions, LogOptions, ObjectRef, Patch, ResourceType, WatchEvent } from '../kube/index.ts';
import type { TextList } from './verbs/list.ts';
import type { KindRegistry } from './kinds/kind-registry.ts';
import type { Change } from './storage/store.ts';
import type { EmbeddedWatchOptions } from './watch/watch-objects.ts';
import type { EmbeddedWriteOptions, Random } from './verbs/verb-context.ts';

/** Bounds of what the API keeps and does; each has a default. */
export interface EmbeddedLimits {
  /** Changes that a watch can start behind. */
  readonly historyChangesMax?: number;
  readonly historyAgeMs?: number;
  /** Characters of the objects that are kept decoded. */
  readonly cacheCharactersMax?: number;
  /** Changes that wait for one slow watcher in memory. */
  readonly watchPendingMax?: number;
  readonly bookmarkIntervalMs?: number;
  /** How often what is too old is looked for. */
  readonly housekeepingMs?: number;
}

/** Which of the controllers run beside the API. */
export interface EmbeddedControllers {
  readonly namespaces?: boolean;
  readonly garbageCollection?: boolean;
  readonly expiry?: boolean;
}

export interface EmbeddedOptions {
  /** The database; its key file stands beside it as `<file>.key` unless a key is given. */
  readonly file: string;
  /** 32 bytes for what is encrypted at rest; with several, the first seals and all open. */
  readonly encryptionKey?: Uint8Array | readonly Uint8Array[];
  readonly clock: Clock;
  readonly random?: Random;
  readonly log: Logger;
  readonly limits?: EmbeddedLimits;
  /** All of them unless switched off. */
  readonly controllers?: EmbeddedControllers;
  /** Called once where the disk has failed: everything is refused from then on, and only a new start finds out what is on it. */
  readonly onLost?: (error: unknown) => void;
}

/** Gives the lines of a simulated container. */
export type LogSource = (ref: ObjectRef, options: LogOptions) => AsyncIterable<Uint8Array>;

/** The Kubernetes API in this process. */
export interface EmbeddedApi extends KubeApi {
  /** The kinds that are served; CustomResourceDefinitions add theirs here. */
  readonly kinds: KindRegistry;
  create(type: ResourceType, object: KubeObject, options?: EmbeddedWriteOptions): Promise<KubeObject>;
  update(type: ResourceType, object: KubeObject, options?: EmbeddedWriteOptions): Promise<KubeObject>;
  patch(type: ResourceType, ref: ObjectRef, patch: Patch, options?: EmbeddedWriteOptions): Promise<KubeObject>;
  watch(type: ResourceType, options?: EmbeddedWatchOptions): AsyncIterable<WatchEvent>;
  /** As get, with the whole object as JSON; nothing is decoded or encoded for it. */
  getText(type: ResourceType, ref: ObjectRef, options?: CallOptions): Promise<string>;
  /** As list, with the whole objects as JSON. */
  listTexts(type: ResourceType, options?: ListOptions): Promise<TextList>;
  /** For each group version a text that changes when its OpenAPI document does. */
  openApiHashes(): ReadonlyMap<string, string>;
  /** An object that came from this API as compact JSON; nothing is encoded that is encoded already. */
  jsonText(object: KubeObject): string;
  /** Every committed change of every kind, in order and in the same turn; must return quickly. Returns how to stop. */
  onCommit(listener: (changes: readonly Change[]) => void): () => void;
  /** The last version of all, as lists show it. */
  readonly resourceVersion: string;
  /** Ends all watches of a kind, as when it is no longer served. */
  endWatches(type: ResourceType): void;
  /** Where the logs of Pods come from; without a source there are none. */
  setLogSource(source: LogSource): void;
  /** Resolves when the controllers have done all they know of. */
  controllersIdle(): Promise<void>;
  /** Looks now for what has expired or is too old; happens by itself from time to time. */
  keepHouse(): void;
  /** Lets go of what is kept in memory only to be read sooner. */
  forgetRead(): void;
  /** Forgets the history up to a version: a watch or list from before it is refused as expired. */
  compact(version: number): Promise<void>;
  /** What is wrong with the database; nothing when it is sound. */
  checkIntegrity(): readonly string[];
  /** Seals everything anew, with this key or, where the key is in a file, with a new one. */
  rotateEncryptionKey(key?: Uint8Array): Promise<void>;
  close(): Promise<void>;
}
