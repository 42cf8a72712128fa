import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Account } from '../../../contract/gen/types.ts';
import { api, useUser } from '../../api/index.ts';

/** How the API names itself as the one who knows somebody. */
const OWN_ISSUER = 'argocd';

export function useAccounts(): UseQueryResult<readonly Account[]> {
  return useQuery({
    queryKey: ['accounts'],
    queryFn: async ({ signal }) => (await api.AccountService.ListAccounts({}, { signal })).items ?? [],
  });
}

export function useAccount(name: string): UseQueryResult<Account> {
  return useQuery({ queryKey: ['accounts', name], queryFn: ({ signal }) => api.AccountService.GetAccount({ name }, { signal }) });
}

/** The name of the account that the person signed in with; undefined for those who are known through a provider. */
export function useOwnName(): string | undefined {
  const user = useUser();
  return user?.loggedIn === true && user.iss === OWN_ISSUER ? user.username : undefined;
}

export function accountPath(name: string): string {
  return `/settings/accounts/${encodeURIComponent(name)}`;
}
