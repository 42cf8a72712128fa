import { ApiError, Code, pause, type Timers } from '../base/index.ts';
import type { KubeApi } from '../kube/index.ts';
import type { Snapshot } from '../settings/index.ts';
import type { Cluster, ClustersLimits, ClustersOptions } from './clusters.ts';
import { connectCluster, type Connection } from './connect-cluster.ts';
import { ClusterCache } from './live/cluster-cache.ts';
import { rulesOfSettings } from './live/rules-of-settings.ts';
import type { Registration } from './registration/registration.ts';
import { SchemaStore } from './schemas/cluster-schemas.ts';

export interface RegisteredClusterContext extends ClustersOptions {
  readonly timers: Timers;
  readonly limits: ClustersLimits;
}

/** A cluster with its connection and its cache, as long as it is reached in the same way. */
export class RegisteredCluster implements Cluster {
  readonly #context: RegisteredClusterContext;
  readonly cache: ClusterCache;
  readonly schemas: SchemaStore;
  #registration: Registration;
  #connection: Connection | undefined;
  #isClosed = false;

  constructor(registration: Registration, context: RegisteredClusterContext) {
    this.#registration = registration;
    this.#context = context;
    const { settings, clock, timers, log, limits, random = Math.random } = context;
    const { rules = (snapshot: Snapshot) => rulesOfSettings(snapshot, () => clock.nowMs()) } = context;
    this.schemas = new SchemaStore({ connect: () => this.api, server: () => this.server, callMs: limits.callMs, timers, log });
    this.cache = new ClusterCache({
      connect: () => this.api,
      context: () => ({
        registration: this.#registration,
        snapshot: () => settings.current,
        rules: rules(settings.current),
        onDiscovered: () => this.schemas.expire(),
        limits,
        clock,
        timers,
        log,
        random,
      }),
    });
  }

  get server(): string {
    return this.#registration.server;
  }

  get name(): string {
    return this.#registration.name;
  }

  get registration(): Registration {
    return this.#registration;
  }

  get api(): KubeApi {
    if (this.#isClosed) throw new ApiError(Code.Unavailable, `the cluster ${this.server} is no longer registered like this`);
    const { server, config } = this.#registration;
    this.#connection ??= connectCluster({ server, config: config.reveal() }, { ...this.#context, apiLimits: this.#context.limits.api });
    return this.#connection.api;
  }

  /** Goes on under other words; false where the way to reach it is another, and this cluster must be closed. */
  takeOver(registration: Registration): boolean {
    const before = this.#registration;
    if (registration === before) return true;
    if (before.config.reveal() !== registration.config.reveal()) return false;
    this.#registration = registration;
    const isRefreshed = registration.refreshRequestedAt !== undefined && registration.refreshRequestedAt !== before.refreshRequestedAt;
    const hasMoved =
      before.namespaces.join() !== registration.namespaces.join() || before.clusterResources !== registration.clusterResources;
    if (isRefreshed || hasMoved) this.cache.invalidate();
    return true;
  }

  /** Calls of those who have its API already are answered for `graceMs` more: a sync that is at work is not torn apart by new credentials. */
  async close({ graceMs, signal }: { readonly graceMs: number; readonly signal: AbortSignal }): Promise<void> {
    this.#isClosed = true;
    this.schemas.stop();
    await this.cache.close();
    if (this.#connection === undefined) return;
    if (graceMs > 0) await pause(this.#context.timers, graceMs, signal);
    await this.#connection.close();
  }
}
