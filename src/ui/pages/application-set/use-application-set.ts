import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { ApplicationSet } from '../../../contract/gen/types.ts';
import { api, queryClient, useWatch } from '../../api/index.ts';
import { usePathNames } from '../../app/index.ts';

/** Which set a page is about. The namespace is empty where the address has none: it is the control plane's then. */
export interface ApplicationSetName {
  readonly name: string;
  readonly namespace: string;
}

export function useApplicationSetName(): ApplicationSetName {
  const { name = '', namespace = '' } = usePathNames();
  return { name, namespace };
}

/** The set, kept up to date. After its deletion the cache holds null. */
export function useApplicationSet({ name, namespace }: ApplicationSetName): UseQueryResult<ApplicationSet | null> {
  const queryKey = ['application-set', namespace, name];
  const query = useQuery<ApplicationSet | null>({
    queryKey,
    queryFn: ({ signal }) => api.ApplicationSetService.Get({ name, appsetNamespace: namespace }, { signal }),
  });
  useWatch(`application-set ${namespace}/${name}`, {
    open: (options) => api.ApplicationSetService.Watch({ name, appSetNamespace: namespace }, options),
    onEvents: (events) => {
      const last = events.at(-1);
      if (last !== undefined) queryClient.setQueryData(queryKey, last.type === 'DELETED' ? null : last.applicationSet);
    },
    onOpen: (isAgain) => isAgain && void query.refetch(),
    // What was read once is followed also when reading it again failed.
    enabled: query.data !== undefined,
  });
  return query;
}

const Shown = createContext<ApplicationSet | undefined>(undefined);

/** Gives the set to everything on its page. */
export const ShowApplicationSet = Shown.Provider;

/** The set of the page. */
export function useShownSet(): ApplicationSet {
  const set = useContext(Shown);
  if (set === undefined) throw new Error('there is no application set around this component');
  return set;
}
