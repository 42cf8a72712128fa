import type { DiscoveredResource, ResourceType, Trouble } from '../../kube/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { EventCounts } from './event-counts.ts';
import type { LiveRow, ObjectKeyParts } from './live-row.ts';

/** Times are those of the wall clock. */
export type LiveCacheState =
  /** Nobody has asked for it. */
  | { readonly name: 'idle' }
  | { readonly name: 'starting' }
  /** Every kind has been read, or has a trouble of its own. */
  | { readonly name: 'synced'; readonly atMs: number }
  /** The cluster did not say what it serves; it is asked again and again. */
  | { readonly name: 'failed'; readonly message: string; readonly atMs: number }
  | { readonly name: 'stopped' };

/** Why what is known of one kind may be out of date. */
export interface KindTrouble {
  /** Without a kind where a whole group version does not answer. */
  readonly type: ResourceType;
  /** Whether its objects have ever been read: without that, what is not known may still be there. */
  readonly synced: boolean;
  /** In which namespace, where namespaces are followed one by one. */
  readonly namespace?: string;
  readonly trouble: Trouble;
}

/** When changes are told: a while after the first, or soon after the first where it was quiet before. */
export type ChangePace = 'gathered' | 'soon';

/** What happened since the last call. */
export interface LiveChange {
  /**
   * The instances touched: `compare` where an object that the application manages changed, `tree` where only something that
   * belongs to one did.
   */
  readonly instances: ReadonlyMap<string, 'compare' | 'tree'>;
  /** Namespaces in which an object without owner and application came, went or changed. */
  readonly namespaces: ReadonlySet<string>;
  /** The kinds that the cluster serves are others now. */
  readonly kinds: boolean;
}

/** An object that an application wants. */
export type LiveTarget = ObjectKeyParts & {
  /** The version in which it is wanted; what is kept in another one is asked for. */
  readonly version?: string;
  /** Whether it is needed with its `managedFields`, which are not kept. */
  readonly withOwners?: boolean;
};

export interface TreeRow {
  readonly row: LiveRow;
  /** Those of its owners that are in the cluster. */
  readonly parents: readonly LiveRow[];
}

/**
 * What lives in a cluster: a row for each object, kept up to date by watches. Whoever reads it awaits `whenSynced` first: what is
 * asked before that fails with an ApiError, so that nobody takes what is not known yet for what is not there.
 */
export interface LiveCache {
  readonly state: LiveCacheState;
  /** Does nothing where it has been started. */
  start(): void;
  /**
   * Starts it where need be. Resolves when every kind has been read or has a trouble of its own; throws ApiError while the
   * cluster as a whole does not answer.
   */
  whenSynced(signal?: AbortSignal): Promise<void>;
  /** Forgets everything and reads the cluster anew. */
  invalidate(): void;
  /** The objects that say they belong to an instance and have no owner; each has its body. By key. */
  managed(instance: string): ReadonlyMap<string, LiveRow>;
  /**
   * The live objects of an application, whole: those it manages, and those that it wants and that are there without belonging to
   * it. By key. What the cache does not hold in full is asked for. Throws ApiError where a target is out of bounds.
   */
  liveObjects(instance: string, targets: Iterable<LiveTarget>, signal?: AbortSignal): Promise<Map<string, KubeObject>>;
  find(key: ObjectKeyParts): LiveRow | undefined;
  /** Whether all objects of the kind, in that namespace, are known: one that is not among them is not there. */
  isKnown(key: Omit<ObjectKeyParts, 'name'>): boolean;
  /** Whether the cluster serves a kind that is to be followed there, and its objects are not known: we may not list them, or have not read them. */
  isHidden(key: Omit<ObjectKeyParts, 'name'>): boolean;
  /** Somebody knows of an object of this kind that is not so here: what follows it may be dead without a sign, and begins anew. */
  doubt(key: Omit<ObjectKeyParts, 'name'>): void;
  /** Whether settings leave a kind of this cluster out. */
  isExcluded(kind: { readonly group: string; readonly kind: string }): boolean;
  /** The roots that are there and everything below them, parents first, each once. */
  tree(roots: Iterable<ObjectKeyParts>): readonly TreeRow[];
  /** The objects of a namespace that have no owner. */
  topLevel(namespace: string): Iterable<LiveRow>;
  /** The pods that run on a node. */
  podsOn(node: string): Iterable<LiveRow>;
  rowsOf(kind: { readonly group: string; readonly kind: string }): Iterable<LiveRow>;
  /** Changes are gathered for a while, unless somebody waits to see them. */
  onChange(listener: (change: LiveChange) => void, pace?: ChangePace): () => void;
  /** What is wrong right now; empty while all is well. */
  troubles(): readonly KindTrouble[];
  /** Why nothing at all can be followed right now; undefined while anything can. */
  readonly outage: string | undefined;
  /** Which kinds are followed, and how many rows there are. */
  readonly counts: { readonly kinds: number; readonly rows: number };
  readonly events: Pick<EventCounts, 'list'>;
  /** All that the cluster serves, in every version; empty until the first sync. */
  readonly resources: readonly DiscoveredResource[];
  /** Whether objects of a kind are namespaced; undefined for a kind that the cluster does not serve. */
  typeOf(kind: { readonly group: string; readonly kind: string; readonly version?: string }): DiscoveredResource | undefined;
  /** Such as `v1.36.3`, without what a vendor adds; empty until the first sync. */
  readonly serverVersion: string;
}
