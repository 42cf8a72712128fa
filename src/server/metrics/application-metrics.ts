import type { Cluster, Clusters } from '../../clusters/index.ts';
import type { ObjectStore } from '../../kube/index.ts';
import { readApplication, sourcesOf, type Application, type OperationState } from '../../model/index.ts';
import { parseTime } from '../../objects/index.ts';
import { readChosenMetrics, type ChosenMetrics } from './chosen-metrics.ts';
import type { Registry } from './registry.ts';

/** One series for each of a number of applications: more than that share one. */
const seriesMax = 20_000;
const reconcileBuckets = [0.25, 0.5, 1, 2, 4, 8, 16];

export interface ApplicationMetricsOptions {
  readonly registry: Registry;
  readonly applications: ObjectStore;
  readonly clusters: Clusters;
  readonly chosen: ChosenMetrics;
  readonly nowMs: () => number;
}

interface Request {
  readonly server: string;
  readonly verb: string;
  readonly kind: string;
  readonly namespace: string;
  readonly code: number;
  readonly dryRun: boolean;
}

/** What controllers tell of their work. */
export interface ApplicationMetrics {
  onReconciled(application: Application, durationMs: number): void;
  onOperationEnded(application: Application, state: OperationState): void;
  onRequest(application: Application, request: Request): void;
  /** How many objects of its namespace belong to nobody, where its project asks for it. */
  onOrphans(application: Application, count: number): void;
}

/** Figures of applications and clusters under the names that dashboards and alerts of Argo CD know. */
export function createApplicationMetrics(options: ApplicationMetricsOptions): ApplicationMetrics {
  const { registry, clusters } = options;
  readApplications(options);
  readClusters(options);
  readChosenMetrics(options);
  const noteOrphans = readOrphans(options);
  const syncs = registry.counter({
    name: 'argocd_app_sync_total',
    help: 'Number of application syncs.',
    labels: ['namespace', 'name', 'project', 'dest_server', 'phase', 'dry_run'],
    seriesMax,
  });
  const syncSeconds = registry.counter({
    name: 'argocd_app_sync_duration_seconds_total',
    help: 'Seconds that syncs of an application took.',
    labels: ['namespace', 'name', 'project', 'dest_server'],
    seriesMax,
  });
  const requests = registry.counter({
    name: 'argocd_app_k8s_request_total',
    help: 'Requests to clusters that were made for an application.',
    labels: 'namespace name project server response_code verb resource_kind resource_namespace dry_run'.split(' '),
    seriesMax,
  });
  const reconciles = registry.histogram({
    name: 'argocd_app_reconcile',
    help: 'Seconds that looking at an application took.',
    labels: ['namespace', 'dest_server'],
    buckets: reconcileBuckets,
  });

  return {
    onReconciled(application, durationMs) {
      reconciles.at(application.metadata.namespace ?? '', serverOf(clusters, application)).observe(durationMs / 1_000);
    },
    onOperationEnded(application, { operation, phase, startedAt, finishedAt }) {
      const names = [...namesOf(application), serverOf(clusters, application)];
      syncs.add(1, ...names, phase, String(operation.sync?.dryRun === true));
      const [from, to] = [startedAt, finishedAt].map((text) => (text ? parseTime(text) : undefined));
      if (from !== undefined && to !== undefined) syncSeconds.add((to - from) / 1_000, ...names);
    },
    onRequest(application, { server, verb, kind, namespace, code, dryRun }) {
      requests.add(1, ...namesOf(application), server, String(code), verb, kind, namespace, String(dryRun));
    },
    onOrphans: noteOrphans,
  };
}

function readOrphans({ registry, applications }: ApplicationMetricsOptions): ApplicationMetrics['onOrphans'] {
  // What is gone is forgotten when somebody reads the metrics next.
  const counts = new Map<string, number>();
  registry.readRows({
    name: 'argocd_app_orphaned_resources_count',
    help: 'Objects in the namespace of an application that belong to nobody.',
    type: 'gauge',
    labels: ['namespace', 'name', 'project'],
    *rows() {
      const present = new Set<string>();
      for (const object of applications.values()) {
        const uid = object.metadata.uid ?? '';
        present.add(uid);
        const count = counts.get(uid);
        if (count !== undefined) yield [namesOf(readApplication(object)), count];
      }
      for (const uid of counts.keys()) if (!present.has(uid)) counts.delete(uid);
    },
  });
  return ({ metadata }, count) => void counts.set(metadata.uid ?? '', count);
}

function namesOf({ metadata, spec }: Application): [string, string, string] {
  return [metadata.namespace ?? '', metadata.name ?? '', spec.project || 'default'];
}

/** The server of a destination, also of one that is given by name; the name where nobody knows it. */
function serverOf(clusters: Clusters, { spec }: Application): string {
  const { server = '', name = '' } = spec.destination;
  return server || (clusters.list().find((cluster) => cluster.name === name)?.server ?? name);
}

function readApplications({ registry, applications, clusters }: ApplicationMetricsOptions): void {
  registry.readRows({
    name: 'argocd_app_info',
    help: 'Information about an application.',
    type: 'gauge',
    labels: 'namespace name project autosync_enabled repo dest_server dest_namespace sync_status health_status operation'.split(' '),
    *rows() {
      for (const object of applications.values()) {
        const application = readApplication(object);
        const { spec, status, metadata, operation } = application;
        const { automated } = spec.syncPolicy ?? {};
        yield [
          [
            ...namesOf(application),
            String(automated !== undefined && automated.enabled !== false),
            sourcesOf(application)[0]?.repoURL ?? '',
            serverOf(clusters, application),
            spec.destination.namespace ?? '',
            status?.sync?.status || 'Unknown',
            status?.health?.status || 'Unknown',
            metadata.deletionTimestamp ? 'delete' : operation?.sync ? 'sync' : '',
          ],
          1,
        ];
      }
    },
  });
}

function readClusters({ registry, clusters, nowMs }: ApplicationMetricsOptions): void {
  const gauge = (name: string, help: string, labels: readonly string[], row: (cluster: Cluster) => [readonly string[], number]): void =>
    registry.readRows({
      name,
      help,
      type: 'gauge',
      labels,
      *rows() {
        for (const cluster of clusters.list()) yield row(cluster);
      },
    });
  gauge('argocd_cluster_info', 'Information about a cluster.', ['server', 'k8s_version', 'name'], ({ server, name, cache }) => [
    [server, cache.serverVersion, name],
    1,
  ]);
  gauge('argocd_cluster_connection_status', 'Whether a cluster answers.', ['server', 'k8s_version'], ({ server, cache }) => [
    [server, cache.serverVersion],
    cache.state.name === 'synced' && cache.outage === undefined ? 1 : 0,
  ]);
  gauge('argocd_cluster_api_resource_objects', 'Objects of a cluster that are known.', ['server'], ({ server, cache }) => [
    [server],
    cache.counts.rows,
  ]);
  gauge('argocd_cluster_api_resources', 'Kinds of a cluster that are followed.', ['server'], ({ server, cache }) => [
    [server],
    cache.counts.kinds,
  ]);
  registry.readRows({
    name: 'argocd_cluster_events_total',
    help: 'Changes of objects that a cluster told of.',
    type: 'counter',
    labels: ['server', 'group', 'kind'],
    *rows() {
      for (const { server, cache } of clusters.list())
        for (const { group, kind, count } of cache.events.list()) yield [[server, group, kind], count];
    },
  });
  gauge('argocd_cluster_cache_age_seconds', 'Seconds since a cluster was read; -1 where it was not.', ['server'], ({ server, cache }) => [
    [server],
    cache.state.name === 'synced' ? Math.max(0, nowMs() - cache.state.atMs) / 1_000 : -1,
  ]);
}
