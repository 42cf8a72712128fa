import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { EventList, ResourceAction, ResourceDiff } from '../../../../contract/gen/types.ts';
import { api } from '../../../api/index.ts';
import type { ShownResource } from '../tree/resource-node.ts';
import { useShownName } from '../use-application.ts';

/** How calls name a resource of the application. */
export interface ResourceName {
  readonly name: string;
  readonly appNamespace: string;
  readonly project: string;
  readonly namespace: string;
  readonly resourceName: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export function useResourceName({ namespace, name, group, version, kind }: ShownResource): ResourceName {
  return { ...useShownName(), namespace, resourceName: name, group, version, kind };
}

/** The live manifest as JSON text. It is read again when the tree shows another version of it. */
export function useManifest(resource: ShownResource): UseQueryResult<string> {
  const request = useResourceName(resource);
  return useQuery({
    queryKey: ['application', request.appNamespace, request.name, 'manifest', resource.id, resource.node?.resourceVersion],
    queryFn: async ({ signal }) => (await api.ApplicationService.GetResource(request, { signal })).manifest,
    enabled: resource.uid !== '',
    placeholderData: (before) => before,
  });
}

/** What is declared beside what lives; null for what the application does not declare. */
export function useComparison(resource: ShownResource): UseQueryResult<ResourceDiff | null> {
  const { name, appNamespace, project } = useShownName();
  return useQuery({
    queryKey: ['application', appNamespace, name, 'comparison', resource.id, resource.node?.resourceVersion, resource.sync],
    queryFn: async ({ signal }) => {
      const { namespace, group, kind, name: resourceName } = resource;
      const request = { applicationName: name, appNamespace, project, namespace, group, kind, name: resourceName };
      return (await api.ApplicationService.ManagedResources(request, { signal })).items?.[0] ?? null;
    },
    enabled: resource.sync !== undefined,
    placeholderData: (before) => before,
  });
}

const EVENTS_AGAIN_MS = 5_000;

export function useEvents(resource: ShownResource): UseQueryResult<EventList> {
  const { name, appNamespace, project } = useShownName();
  return useQuery({
    queryKey: ['application', appNamespace, name, 'events', resource.id, resource.uid],
    queryFn: ({ signal }) =>
      api.ApplicationService.ListResourceEvents(
        { name, appNamespace, project, resourceNamespace: resource.namespace, resourceName: resource.name, resourceUID: resource.uid },
        { signal },
      ),
    enabled: resource.uid !== '',
    refetchInterval: EVENTS_AGAIN_MS,
  });
}

export function useActions(resource: ShownResource): UseQueryResult<readonly ResourceAction[]> {
  const request = useResourceName(resource);
  return useQuery({
    queryKey: ['application', request.appNamespace, request.name, 'actions', resource.id, resource.node?.resourceVersion],
    queryFn: async ({ signal }) => (await api.ApplicationService.ListResourceActions(request, { signal })).actions ?? [],
    enabled: resource.uid !== '',
    placeholderData: (before) => before,
  });
}
