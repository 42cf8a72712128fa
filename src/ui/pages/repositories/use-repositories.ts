import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ApplicationList, RepoCreds, Repository } from '../../../contract/gen/types.ts';
import { api, queryClient } from '../../api/index.ts';
import { families, type Family, type FamilyId } from './families.ts';

const USERS_MAX = 200;
/** Asking servers is work; states are asked for anew by a button. */
const STALE_MS = 30_000;

export function useRepositories(id: FamilyId): UseQueryResult<readonly Repository[]> {
  return useQuery({
    queryKey: ['repositories', id],
    queryFn: async ({ signal }) => (await families[id].list({}, signal)).items ?? [],
    staleTime: STALE_MS,
  });
}

export function useTemplates(id: FamilyId): UseQueryResult<readonly RepoCreds[]> {
  return useQuery({
    queryKey: ['repositories', id, 'templates'],
    queryFn: async ({ signal }) => (await families[id].listTemplates(signal)).items ?? [],
  });
}

/** Asks all of them, or one, whether they can be reached now. */
export async function refreshStates(family: Family, one?: Repository): Promise<void> {
  if (one === undefined) {
    queryClient.setQueryData(['repositories', family.id], (await family.list({ forceRefresh: true })).items ?? []);
    return;
  }
  const fresh = await family.get({ repo: one.repo, appProject: one.project ?? '', forceRefresh: true });
  queryClient.setQueryData(['repositories', family.id], (before: readonly Repository[] | undefined) =>
    before?.map((each) => (isSame(each, one) ? fresh : each)),
  );
}

/** Which applications have a source at an address, as far as the person may see them. */
export function useUsers(url: string): UseQueryResult<ApplicationList> {
  return useQuery({
    queryKey: ['applications', 'of-repository', url],
    queryFn: ({ signal }) =>
      api.ApplicationService.List(
        { repos: [url], limit: USERS_MAX },
        { signal, fields: 'items.metadata.name,items.metadata.namespace,items.spec.project,metadata' },
      ),
  });
}

export function isSame(one: Repository, other: Pick<Repository, 'repo' | 'project'>): boolean {
  return one.repo === other.repo && (one.project ?? '') === (other.project ?? '');
}
