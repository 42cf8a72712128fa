import type { JsonObject, JsonValue, KubeObject, Status } from '../objects/index.ts';

/** A kind of resource as an API serves it. */
export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** What discovery says of a resource beyond its type. */
export interface DiscoveredResource extends ResourceType {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** Names such as `status`, `scale`, `log`. */
  readonly subresources: readonly string[];
  /** True when this is the group's preferred version. */
  readonly preferred: boolean;
}

/** What an API serves. A group whose server does not answer is named here and does not hide the others. */
export interface Discovery {
  readonly resources: readonly DiscoveredResource[];
  readonly failures: readonly { readonly group: string; readonly version: string; readonly message: string }[];
}

/** One object's place; no namespace for what is cluster-scoped. */
export interface ObjectRef {
  readonly namespace?: string;
  readonly name: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** `metadata.managedFields` is left out of what comes back unless asked for: it is large, and few read it. */
export interface ReadOptions extends CallOptions {
  readonly keepManagedFields?: boolean;
}

/** Of calls for one object. */
interface UrgentOptions {
  /** Does not wait behind other calls, where a client lets only so many through at once. For what is small, rare and must not come late. */
  readonly urgent?: boolean;
}

export interface GetOptions extends ReadOptions, UrgentOptions {
  readonly subresource?: string;
}

export interface ListOptions extends ReadOptions {
  /** All namespaces unless given. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

export interface ObjectList {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number };
  readonly items: readonly KubeObject[];
}

export interface WatchOptions extends ReadOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly allowBookmarks?: boolean;
  readonly timeoutSeconds?: number;
  /** Called when the API has accepted the watch, which may be long before its first event. */
  readonly onOpen?: () => void;
}

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: KubeObject }
  | { readonly type: 'ERROR'; readonly object: Status };

export interface WriteOptions extends ReadOptions, UrgentOptions {
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  readonly subresource?: string;
}

export type Patch =
  | { readonly type: 'json'; readonly operations: readonly JsonValue[] }
  | { readonly type: 'merge' | 'strategic'; readonly body: JsonObject }
  | { readonly type: 'apply'; readonly body: JsonObject; readonly force?: boolean };

export interface DeleteOptions extends CallOptions {
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

export interface LogOptions extends CallOptions {
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly tailLines?: number;
  readonly limitBytes?: number;
}

/**
 * A Kubernetes API, whichever way it is reached: a cluster over the network, or the embedded one in this process. Objects that
 * come out are shared and must not be changed. Every refusal is a StatusError; what never reached the API is an ApiError.
 */
export interface KubeApi {
  discover(options?: CallOptions & { readonly fresh?: boolean }): Promise<Discovery>;
  /** The OpenAPI v3 document of a group version such as `apps/v1` or `v1`; undefined where it has none. */
  openApi(groupVersion: string, options?: CallOptions): Promise<JsonObject | undefined>;
  /** A short text for each group version that changes when its OpenAPI document does. Absent where an API cannot tell. */
  openApiHashes?(options?: CallOptions): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>;
  /** The same API in the name of somebody else, with their rights. Absent where there is nobody else. */
  asUser?(username: string): KubeApi;
  /** What `/version` says, for example `{ gitVersion: 'v1.36.3', … }`. */
  version(options?: CallOptions): Promise<JsonObject>;

  get(type: ResourceType, ref: ObjectRef, options?: GetOptions): Promise<KubeObject>;
  /** One page when `limit` is given, otherwise everything. */
  list(type: ResourceType, options?: ListOptions): Promise<ObjectList>;
  /** Ends when the server ends it; throws on refusal or when the connection breaks. */
  watch(type: ResourceType, options?: WatchOptions): AsyncIterable<WatchEvent>;
  create(type: ResourceType, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  update(type: ResourceType, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  patch(type: ResourceType, ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<KubeObject>;
  /** The object as it was last seen, or a Status where the API answers with one. */
  delete(type: ResourceType, ref: ObjectRef, options?: DeleteOptions): Promise<KubeObject | Status>;
  deleteCollection(type: ResourceType, selection: ListOptions, options?: DeleteOptions): Promise<void>;
  /** The log of a pod's container in chunks as they arrive. */
  logs(ref: ObjectRef, options?: LogOptions): AsyncIterable<Uint8Array>;
}
