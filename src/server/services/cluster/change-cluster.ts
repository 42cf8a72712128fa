import { ApiError, Code } from '../../../base/index.ts';
import type { Cluster as LiveCluster, Registration, RegistrationEntry } from '../../../clusters/index.ts';
import type { Cluster, ClusterCreateRequest, ClusterQuery, ClusterResponse, ClusterUpdateRequest } from '../../../contract/index.ts';
import { inClusterServer, normalizeServer } from '../../../model/index.ts';
import { canonicalJson, formatTime, isStatusError, type JsonObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { permissionDenied } from '../authorise.ts';
import { fromHomeError, withHomeErrors } from '../../home-errors.ts';
import { requireCreate, requireTouch, type ClusterServiceOptions } from './cluster-context.ts';
import { answerCluster } from './answer-cluster.ts';
import { parseConfig } from './describe-cluster.ts';
import { findCluster, findClusters } from './find-clusters.ts';

/** The parts of a cluster that an update can name. */
const FIELDS = ['name', 'namespaces', 'config', 'shard', 'clusterResources', 'labels', 'annotations', 'project'] as const;
/** What two registrations are compared by, and how errors name it. */
const COMPARED = {
  name: 'Name',
  config: 'Config',
  namespaces: 'Namespaces',
  shard: 'Shard',
  clusterResources: 'ClusterResources',
  labels: 'Labels',
  annotations: 'Annotations',
} as const;

export async function createCluster(context: ClusterServiceOptions, request: ClusterCreateRequest, call: Call): Promise<Cluster> {
  const { clusters, registry, settings } = context;
  const entry = readEntry(request.cluster);
  requireCreate(context, call, entry);
  if (entry.server === inClusterServer && !settings.current.general.inClusterEnabled) {
    throw new ApiError(Code.InvalidArgument, 'cannot register cluster: in-cluster has been disabled');
  }
  const probedVersion = await probe(context, entry, call);
  const existing = clusters.find(entry.server);
  if (existing?.registration.secretName === undefined) {
    await withHomeErrors(() => registry.create(entry, call.signal));
    return answerCluster(context, context.clusters.find(entry.server), { probedVersion });
  }
  // Whose it is and what it says is not for those who may not see it: what differs tells a lot to who asks often.
  if (existing.registration.project !== entry.project) requireTouch(context, call, existing.registration, 'get');
  const different = findDifferences(entryOf(existing.registration), entry);
  if (different.length > 0) {
    if (request.upsert !== true) throw new ApiError(Code.InvalidArgument, describeDifferences(different));
    requireTouch(context, call, existing.registration, 'update');
    requireTouch(context, call, entry, 'update');
    await withHomeErrors(() => registry.update(existing.registration, entry, call.signal));
  }
  return answerCluster(context, clusters.find(entry.server), { probedVersion });
}

export async function updateCluster(context: ClusterServiceOptions, request: ClusterUpdateRequest, call: Call): Promise<Cluster> {
  const { clusters, registry } = context;
  const { cluster, updatedFields = [], id } = request;
  const query = { ...(id && { id }), ...(cluster && { server: cluster.server, name: cluster.name }) };
  const { registration } = findCluster(context, query, call, 'update');
  const wanted = { ...readEntry({ ...cluster, server: registration.server }), server: registration.server };
  if (updatedFields.length === 0 || updatedFields.includes('project')) requireTouch(context, call, wanted, 'update');
  const current = entryOf(registration);
  const entry = updatedFields.length === 0 ? wanted : { ...current, ...pickFields(wanted, updatedFields) };
  const probedVersion = await probe(context, entry, call, { isStored: entry.config === current.config });
  await withHomeErrors(() => registry.update(registration, entry, call.signal));
  return answerCluster(context, clusters.find(entry.server), { probedVersion });
}

export async function deleteCluster(context: ClusterServiceOptions, query: ClusterQuery, call: Call): Promise<ClusterResponse> {
  const found = findClusters(context, query);
  if (found.length === 0) throw permissionDenied();
  for (const { registration } of found) requireTouch(context, call, registration, 'delete');
  for (const { registration } of found) await withHomeErrors(() => context.registry.remove(registration, call.signal));
  return {};
}

export async function invalidateCache(context: ClusterServiceOptions, query: ClusterQuery, call: Call): Promise<Cluster> {
  const { clock, clusters, registry } = context;
  const cluster: LiveCluster = findCluster(context, query, call, 'update');
  const refreshRequestedAt = formatTime(clock.nowMs());
  const { registration } = cluster;
  if (registration.secretName === undefined) {
    // Nobody has registered it, and that somebody asks for fresh data is no reason to.
    cluster.cache.invalidate();
    return { ...answerCluster(context, cluster), refreshRequestedAt };
  }
  await withHomeErrors(() => registry.requestRefresh(registration, refreshRequestedAt, call.signal));
  return answerCluster(context, clusters.find(registration.server));
}

/** What is registered, ready to be changed. A request to read the cluster anew is not repeated by other changes. */
export function entryOf({ secretName: _name, resourceVersion: _version, config, ...rest }: Registration): RegistrationEntry {
  return { ...rest, config: parseConfig(config.reveal()), refreshRequestedAt: undefined };
}

/** Asks the cluster before anything is stored. That it does not know the credentials says nothing about those of the caller. */
export async function probe(
  { clusters }: ClusterServiceOptions,
  { server, config }: RegistrationEntry,
  call: Call,
  { isStored = false }: { readonly isStored?: boolean } = {},
): Promise<string> {
  try {
    return await clusters.probe({ server, config: JSON.stringify(config), isStored }, call.signal);
  } catch (error) {
    if (isStatusError(error, 'Unauthorized') || isStatusError(error, 'Forbidden'))
      throw new ApiError(Code.InvalidArgument, `the cluster refuses these credentials: ${error.message}`, { cause: error });
    throw fromHomeError(error);
  }
}

function readEntry(cluster: Partial<Cluster> | undefined): RegistrationEntry {
  const server = normalizeServer(cluster?.server ?? '');
  if (server === '') throw new ApiError(Code.InvalidArgument, 'the server of the cluster is missing');
  const { config, namespaces = [], refreshRequestedAt } = cluster ?? {};
  return {
    server,
    name: cluster?.name || server,
    config: { ...(config as JsonObject | undefined), tlsClientConfig: { insecure: false, ...config?.tlsClientConfig } },
    namespaces: namespaces.map((namespace) => namespace.trim()).filter((namespace) => namespace !== ''),
    clusterResources: cluster?.clusterResources === true,
    project: cluster?.project ?? '',
    shard: cluster?.shard,
    labels: cluster?.labels ?? {},
    annotations: cluster?.annotations ?? {},
    refreshRequestedAt: refreshRequestedAt ?? undefined,
  };
}

function pickFields(wanted: RegistrationEntry, names: readonly string[]): Partial<RegistrationEntry> {
  return Object.fromEntries(FIELDS.filter((field) => names.includes(field)).map((field) => [field, wanted[field]]));
}

/** Projects are not compared. */
function findDifferences(existing: RegistrationEntry, wanted: RegistrationEntry): string[] {
  const names = Object.keys(COMPARED) as (keyof typeof COMPARED)[];
  return names.filter((name) => text(existing[name]) !== text(wanted[name])).map((name) => COMPARED[name]);
}

function describeDifferences(names: readonly string[]): string {
  return `existing cluster spec is different; use upsert flag to force update; difference in keys "${names.join(',')}"`;
}

function text(value: unknown): string {
  return canonicalJson((value ?? null) as JsonObject);
}
