import type { Clusters } from '../../../clusters/index.ts';
import type { ObjectStore } from '../../../kube/index.ts';
import { normalizeServer, readApplication } from '../../../model/index.ts';

/** How many applications go to each cluster, by server. Those whose destination is none are not counted. */
export function countApplications(applications: ObjectStore, clusters: Clusters): ReadonlyMap<string, number> {
  const servers = new Map<string, string[]>();
  for (const { name, server } of clusters.list()) servers.set(name, [...(servers.get(name) ?? []), server]);
  const counts = new Map<string, number>();
  for (const object of applications.values()) {
    const { server = '', name = '' } = readApplication(object).spec.destination;
    const named = servers.get(name) ?? [];
    const destination = name === '' ? normalizeServer(server) : named.length === 1 ? named[0] : undefined;
    if (destination !== undefined && destination !== '') counts.set(destination, (counts.get(destination) ?? 0) + 1);
  }
  return counts;
}
