import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ApplicationList, Cluster } from '../../../contract/gen/types.ts';
import { api } from '../../api/index.ts';

const LIST_MS = 30_000;
const ONE_MS = 10_000;
const USERS_MAX = 200;

export function useClusters(): UseQueryResult<readonly Cluster[]> {
  return useQuery({
    queryKey: ['clusters'],
    queryFn: async ({ signal }) => (await api.ClusterService.List({}, { signal })).items ?? [],
    refetchInterval: LIST_MS,
  });
}

export function useCluster(server: string): UseQueryResult<Cluster> {
  return useQuery({
    queryKey: ['clusters', server],
    queryFn: ({ signal }) => api.ClusterService.Get({ id: idOf(server) }, { signal }),
    refetchInterval: ONE_MS,
  });
}

/** Which applications have the cluster as their destination, as far as the person may see them. */
export function useUsers({ server }: Cluster): UseQueryResult<ApplicationList> {
  return useQuery({
    queryKey: ['applications', 'of-cluster', server],
    queryFn: ({ signal }) =>
      api.ApplicationService.List(
        { clusters: [server], limit: USERS_MAX },
        { signal, fields: 'items.metadata.name,items.metadata.namespace,items.spec.project,metadata' },
      ),
  });
}

export function idOf(server: string): { readonly type: string; readonly value: string } {
  // The server takes escapes off once more.
  return { type: 'server', value: encodeURIComponent(server) };
}

/** What policies call a cluster: one of a project with the project before it. */
export function objectOf({ server, project = '' }: Pick<Cluster, 'server' | 'project'>): string {
  return project === '' ? server : `${project}/${server}`;
}

export function clusterPath({ server }: Pick<Cluster, 'server'>): string {
  return `/settings/clusters/${encodeURIComponent(server)}`;
}
