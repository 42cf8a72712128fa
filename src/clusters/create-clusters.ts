import { ApiError, Code, systemTimers } from '../base/index.ts';
import { withLimit } from '../kube/index.ts';
import { DestinationError, findDestination, normalizeServer } from '../model/index.ts';
import type { SettingsChanged } from '../settings/index.ts';
import type { Cluster, Clusters, ClustersChanged, ClustersLimits, ClustersOptions } from './clusters.ts';
import { connectCluster } from './connect-cluster.ts';
import { readVersion } from './live/read-version.ts';
import { RegisteredCluster } from './registered-cluster.ts';
import { listRegistrations, type UnusableSecret } from './registration/list-registrations.ts';

const defaultLimits: ClustersLimits = {
  coalesceMs: 100,
  callMs: 20_000,
  silentMs: 20_000,
  retryMs: 10_000,
  rediscoverMs: 10 * 60_000,
  idleMs: 30 * 60_000,
  // Longer than a step of a sync takes.
  graceMs: 5 * 60_000,
  watch: {},
  api: {},
};

/** What Argo CD brings along to print credentials of clusters in a cloud. */
const argoCommands: readonly string[] = ['argocd-k8s-auth'];

/** Settings under which rows would have been made in another way. */
const rowSettings: readonly string[] = [
  'instanceLabelKey',
  'trackingMethod',
  'installationId',
  'customLabels',
  'ignoreResourceUpdatesEnabled',
  'compareOptions',
];
/** Settings under which other kinds are followed. */
const kindSettings: readonly string[] = ['resourceExclusions', 'resourceInclusions', 'respectRbac'];

/** Follows the registrations in the settings until it is stopped. */
export function createClusters(options: ClustersOptions): Clusters {
  const { settings, log } = options;
  const context = { ...options, timers: options.timers ?? systemTimers, limits: { ...defaultLimits, ...options.limits } };
  const listeners = new Set<(change: ClustersChanged) => void>();
  const closing = new Set<Promise<void>>();
  const stopping = new AbortController();
  const warned = new Set<string>();
  let clusters = new Map<string, RegisteredCluster>();
  let unusable: readonly UnusableSecret[] = [];

  function close(cluster: RegisteredCluster, graceMs = 0): void {
    const closed = cluster.close({ graceMs, signal: stopping.signal }).finally(() => closing.delete(closed));
    closing.add(closed);
  }

  /** Takes over what is registered now. */
  function update(): ClustersChanged {
    const listed = listRegistrations(settings.current);
    unusable = listed.unusable;
    for (const { secretName, reason } of unusable) {
      if (!warned.has(`${secretName}: ${reason}`)) log.warn('A Secret registers no cluster', { secret: secretName, reason });
    }
    warned.clear();
    for (const { secretName, reason } of unusable) warned.add(`${secretName}: ${reason}`);
    const change = { added: [] as string[], removed: [] as string[], changed: [] as string[] };
    const next = new Map<string, RegisteredCluster>();
    for (const registration of listed.clusters) {
      const { server } = registration;
      const known = clusters.get(server);
      if (known === undefined) change.added.push(server);
      else if (known.registration !== registration) change.changed.push(server);
      const stays = known?.takeOver(registration) === true;
      if (known !== undefined && !stays) close(known, context.limits.graceMs);
      next.set(server, known !== undefined && stays ? known : new RegisteredCluster(registration, context));
    }
    for (const [server, cluster] of clusters) {
      if (next.has(server)) continue;
      change.removed.push(server);
      close(cluster);
    }
    clusters = next;
    return change;
  }

  function onSettings({ changes }: SettingsChanged): void {
    const names = changes.filter(({ part }) => part === 'general').map(({ name }) => name);
    const areRowsOld = names.some((name) => rowSettings.includes(name)) || changes.some(({ part }) => part === 'resourceOverrides');
    const change = update();
    for (const { cache } of clusters.values()) {
      if (areRowsOld || names.includes('respectRbac')) cache.invalidate();
      else if (names.some((name) => kindSettings.includes(name))) cache.rediscover();
    }
    if (change.added.length + change.removed.length + change.changed.length === 0) return;
    for (const listener of listeners) listener(change);
  }

  update();
  const unsubscribe = settings.onChange(onSettings);
  return {
    list: () => [...clusters.values()],
    find: (server) => clusters.get(normalizeServer(server)),
    resolve: (destination) => resolve(destination, [...clusters.values()]),
    isRegistered({ server = '', name = '' }) {
      const isMeant = (one: { readonly server: string; readonly name: string }): boolean =>
        (server !== '' && one.server === normalizeServer(server)) || (name !== '' && one.name === name);
      return [...clusters.values(), ...unusable].some(isMeant);
    },
    async probe({ isStored, ...access }, signal) {
      const allowCommands = options.allowCommands && (isStored || [...argoCommands, ...(options.furtherCommands ?? [])]);
      const connection = connectCluster(access, { ...options, allowCommands, apiLimits: context.limits.api });
      try {
        const limit = { timers: context.timers, limitMs: context.limits.callMs, ...(signal && { signal }) };
        return readVersion(await withLimit(limit, (limited) => connection.api.version({ signal: limited })));
      } finally {
        await connection.close();
      }
    },
    onChange(listener) {
      const own = (change: ClustersChanged): void => listener(change);
      listeners.add(own);
      return () => listeners.delete(own);
    },
    async stop() {
      unsubscribe();
      listeners.clear();
      stopping.abort();
      for (const cluster of clusters.values()) close(cluster);
      clusters = new Map();
      await Promise.all(closing);
    },
  };
}

function resolve(destination: Parameters<Clusters['resolve']>[0], clusters: readonly Cluster[]): Cluster {
  try {
    return findDestination(destination, clusters);
  } catch (error) {
    if (error instanceof DestinationError) throw new ApiError(Code.InvalidArgument, error.message);
    throw error;
  }
}
