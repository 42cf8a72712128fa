import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Application, ApplicationTree } from '../../../contract/gen/types.ts';
import { api, queryClient, useWatch } from '../../api/index.ts';
import { usePathNames } from '../../app/index.ts';

/** Which application a page is about. The namespace is empty where the address has none: it is the control plane's then. */
export interface ApplicationName {
  readonly name: string;
  readonly namespace: string;
}

export function useApplicationName(): ApplicationName {
  const { name = '', namespace = '' } = usePathNames();
  return { name, namespace };
}

/** The application, kept up to date. After its deletion the cache holds null. */
export function useApplication({ name, namespace }: ApplicationName): UseQueryResult<Application | null> {
  const queryKey = ['application', namespace, name];
  const query = useQuery<Application | null>({
    queryKey,
    queryFn: ({ signal }) => api.ApplicationService.Get({ name, appNamespace: namespace }, { signal }),
  });
  useWatch(`application ${namespace}/${name}`, {
    open: (options) => api.ApplicationService.Watch({ name, appNamespace: namespace }, options),
    onEvents: (events) => {
      const last = events.at(-1);
      if (last !== undefined) queryClient.setQueryData(queryKey, last.type === 'DELETED' ? null : last.application);
    },
    onOpen: (isAgain) => isAgain && void query.refetch(),
    // What was read once is followed also when reading it again failed.
    enabled: query.data !== undefined,
  });
  return query;
}

/** What lives because of the application, kept up to date. */
export function useTree({ name, namespace }: ApplicationName): UseQueryResult<ApplicationTree> {
  const queryKey = ['application', namespace, name, 'tree'];
  const request = { applicationName: name, appNamespace: namespace };
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api.ApplicationService.ResourceTree(request, { signal }) });
  useWatch(`tree ${namespace}/${name}`, {
    open: (options) => api.ApplicationService.WatchResourceTree(request, options),
    onEvents: (trees) => queryClient.setQueryData(queryKey, trees.at(-1)),
    onOpen: (isAgain) => isAgain && void query.refetch(),
    enabled: query.data !== undefined,
  });
  return query;
}

const Shown = createContext<Application | undefined>(undefined);

/** Gives the application to everything on its page. */
export const ShowApplication = Shown.Provider;

/** The application of the page. */
export function useShown(): Application {
  const application = useContext(Shown);
  if (application === undefined) throw new Error('there is no application around this component');
  return application;
}

/** How calls name the application of the page. */
export function useShownName(): { readonly name: string; readonly appNamespace: string; readonly project: string } {
  const { metadata, spec } = useShown();
  return { name: metadata.name ?? '', appNamespace: metadata.namespace ?? '', project: spec.project };
}

/** The object of the policy that permissions on this application name. */
export function useShownObject(): string {
  const { metadata, spec } = useShown();
  return `${spec.project}/${metadata.name ?? ''}`;
}
