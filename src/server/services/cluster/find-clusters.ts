import type { Cluster } from '../../../clusters/index.ts';
import type { ClusterQuery } from '../../../contract/index.ts';
import { normalizeServer } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import { permissionDenied } from '../authorise.ts';
import { requireTouch, type ClusterServiceOptions } from './cluster-context.ts';

/** Who is meant: by server, or by a name that several may have. */
interface Wanted {
  readonly server: string;
  readonly name: string;
}

/** The clusters that a query names: none, one, or all of one name. */
export function findClusters({ clusters }: ClusterServiceOptions, query: ClusterQuery): readonly Cluster[] {
  const { server, name } = readQuery(query);
  if (server !== '') return [clusters.find(server) ?? []].flat();
  return name === '' ? [] : clusters.list().filter((cluster) => cluster.name === name);
}

/** The first cluster that a query names, if the caller may do that to it. What is not there is refused in the same words. */
export function findCluster(context: ClusterServiceOptions, query: ClusterQuery, call: Call, action: 'get' | 'update'): Cluster {
  const [cluster] = findClusters(context, query);
  if (cluster === undefined) throw permissionDenied();
  requireTouch(context, call, cluster.registration, action);
  return cluster;
}

export function listWanted(clusters: readonly Cluster[], { id, server = '', name = '' }: ClusterQuery): readonly Cluster[] {
  let wanted = clusters;
  const first = (isWanted: (cluster: Cluster) => boolean): void => {
    wanted = [wanted.find(isWanted) ?? []].flat();
  };
  if (id?.value) {
    const query = readQuery({ id });
    first((one) => (query.server === '' ? one.name === query.name : one.server === query.server));
  }
  if (name !== '') first((one) => one.name === name);
  if (server !== '') first((one) => one.server === normalizeServer(server));
  return wanted;
}

function readQuery({ id, server = '', name = '' }: ClusterQuery): Wanted {
  if (id === undefined) return { server: normalizeServer(server), name };
  const value = unescape(id.value ?? '');
  if (id.type === 'name') return { server: '', name: value };
  if (id.type === 'name_escaped') return { server: '', name: unescape(value) };
  return { server: normalizeServer(value), name: '' };
}

/** As clients escape what goes into a query. What is not escaped properly is meant as it stands. */
function unescape(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}
