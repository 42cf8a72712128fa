import type { Clock, Logger, Timers } from '../base/index.ts';
import type { ClusterAccess, KubeApi, KubeLimits, ReflectorLimits } from '../kube/index.ts';
import type { Settings, Snapshot } from '../settings/index.ts';
import type { LiveCache } from './live/live-cache.ts';
import type { LiveRules } from './live/live-rules.ts';
import type { Registration } from './registration/registration.ts';
import type { ClusterSchemas } from './schemas/cluster-schemas.ts';

/** Where an application goes, as its spec says. */
export interface Destination {
  readonly server?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** The cluster that Fairway's own objects are in. */
export interface HomeCluster {
  readonly api: KubeApi;
  readonly kind: 'embedded' | 'cluster';
  /** How the home API is reached, where that is over the network: a registration of `in-cluster` may bring a token of its own. */
  readonly access?: ClusterAccess;
  /** Whether nothing may be written to it, nor to any other cluster. */
  readonly readOnly?: boolean;
}

export interface ClustersLimits {
  /** Changes that come within this time are told as one. */
  readonly coalesceMs: number;
  /** How long one discovery or version call may take. */
  readonly callMs: number;
  /** A kind that sends nothing for this long while a cluster is first read is not waited for. */
  readonly silentMs: number;
  /** Between two attempts to reach a cluster that did not answer. */
  readonly retryMs: number;
  /** After this time a cluster is asked again which kinds it serves, also where nothing said that they changed. */
  readonly rediscoverMs: number;
  /** A cache that nobody has asked for this long is let go. */
  readonly idleMs: number;
  /** How long the connection of a cluster that is reached in another way now still serves those who work with it. */
  readonly graceMs: number;
  readonly watch: Partial<ReflectorLimits>;
  readonly api: Partial<KubeLimits>;
}

export interface ClustersOptions {
  readonly home: HomeCluster;
  readonly settings: Settings;
  /** What to make of live objects under these settings, where it is not what the engine says. Asked again when they change. */
  readonly rules?: (snapshot: Snapshot) => LiveRules;
  /** Whether a registration may name a program that prints its credentials. */
  readonly allowCommands: boolean;
  /** Which programs one that comes over the API may name, beside that of Argo CD. */
  readonly furtherCommands?: readonly string[];
  /** What such programs inherit. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly timers?: Timers;
  readonly log: Logger;
  readonly random?: () => number;
  readonly limits?: Partial<ClustersLimits>;
}

/**
 * A registered cluster. The object stays the same as long as the way to reach it does; after that its cache is at its end, and calls of its API fail
 * as soon as those who are at work have had time to end.
 */
export interface Cluster {
  readonly server: string;
  readonly name: string;
  /** As it is now; it may change while the cluster stays. */
  readonly registration: Registration;
  /** Made when first asked for. Throws ApiError where the registration cannot be used. */
  readonly api: KubeApi;
  /** Idle until somebody calls `start` or `whenSynced`. */
  readonly cache: LiveCache;
  readonly schemas: ClusterSchemas;
}

/** A way to reach a cluster that somebody asks to be tried. */
export interface ProbedAccess {
  readonly server: string;
  /** JSON text. */
  readonly config: string;
  /** Whether it is that of a Secret, whose programs are run anyhow. */
  readonly isStored: boolean;
}

/** Which clusters came, went, or are registered with other words now; by server. */
export interface ClustersChanged {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Every registered cluster, as the labelled Secrets say and as they change. */
export interface Clusters {
  /** In the order of their Secrets' names; what is not registered by a Secret comes last. */
  list(): readonly Cluster[];
  find(server: string): Cluster | undefined;
  /** The cluster of a destination. Throws ApiError with the words that clients know. */
  resolve(destination: Destination): Cluster;
  /** Whether a Secret says the server or the name of a destination, also where that is of several clusters or of one that cannot be used. */
  isRegistered(destination: Destination): boolean;
  /**
   * The version of a cluster that is reached like this, registered or not. Throws ApiError or the cluster's own refusal where it
   * does not answer. Unless its configuration is the one that is stored, it may name few programs.
   */
  probe(access: ProbedAccess, signal?: AbortSignal): Promise<string>;
  onChange(listener: (change: ClustersChanged) => void): () => void;
  /** Ends every cache and every connection; resolves when nothing of it works any more. */
  stop(): Promise<void>;
}
