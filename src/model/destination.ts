import { trimEndOf } from '../base/index.ts';
import type { ApplicationDestination } from '../contract/index.ts';

/** What a cluster is known by. */
export interface ClusterIdentity {
  readonly server: string;
  readonly name: string;
}

export const inClusterServer = 'https://kubernetes.default.svc';
export const inClusterName = 'in-cluster';

/** A destination that names no cluster, or not exactly one; the message is for the user. */
export class DestinationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DestinationError';
  }
}

/**
 * The one cluster that a destination names, by its server or by its name. Throws DestinationError. `clusters` holds the entry for the
 * control plane's own cluster too, unless that is switched off.
 */
export function findDestination<Cluster extends ClusterIdentity>(
  { name = '', server = '' }: ApplicationDestination,
  clusters: readonly Cluster[],
): Cluster {
  if (name !== '' && server !== '')
    throw new DestinationError(`application destination can't have both name and server defined: ${name} ${server}`);
  if (name === '' && server === '') throw new DestinationError('Destination server missing from app spec');
  if (server !== '') return findByServer(server, clusters);
  const found = clusters.filter((cluster) => cluster.name === name);
  const [only] = found;
  if (only === undefined) throw new DestinationError(`there are no clusters with this name: ${name}`);
  if (found.length > 1) {
    const servers = found.map((cluster) => cluster.server).join(' ');
    throw new DestinationError(`there are ${found.length} clusters with the same name: [${servers}]`);
  }
  return only;
}

function findByServer<Cluster extends ClusterIdentity>(server: string, clusters: readonly Cluster[]): Cluster {
  const wanted = normalizeServer(server);
  const found = clusters.find((cluster) => normalizeServer(cluster.server) === wanted);
  if (found !== undefined) return found;
  const why = wanted === inClusterServer ? 'is disabled' : 'not found';
  throw new DestinationError(`error getting cluster by server "${wanted}": rpc error: code = NotFound desc = cluster "${wanted}" ${why}`);
}

/** Addresses of API servers are the same with and without slashes at their end. */
export function normalizeServer(server: string): string {
  return trimEndOf(server, '/');
}
