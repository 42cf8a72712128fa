import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ApplicationSet, ApplicationSetWatchEvent } from '../../../contract/gen/types.ts';
import { api, queryClient, useWatch } from '../../api/index.ts';

const PATHS: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'metadata.resourceVersion',
  'spec.generators',
  'spec.strategy.type',
  'spec.template.spec.project',
  'status.conditions',
  'status.resourcesCount',
  'status.resources.status',
  'status.resources.health.status',
];
const listFields = PATHS.map((path) => `items.${path}`).join(',');
const eventFields = ['result.type', ...PATHS.map((path) => `result.applicationSet.${path}`)].join(',');
const queryKey = ['application-sets'] as const;

/** All sets that the person may see, kept current. */
export function useApplicationSets(): UseQueryResult<readonly ApplicationSet[]> {
  const query = useQuery<readonly ApplicationSet[]>({
    queryKey,
    queryFn: async ({ signal }) => {
      const { items } = await api.ApplicationSetService.List({}, { signal, fields: listFields });
      return (items as readonly ApplicationSet[] | undefined)?.map(completeSet) ?? [];
    },
  });
  useWatch('application-sets', {
    open: (options) => api.ApplicationSetService.Watch({}, { ...options, fields: eventFields }),
    // What changed between the list and the first event is in the list that is read now.
    onOpen: () => void query.refetch(),
    onEvents: (events) => queryClient.setQueryData<readonly ApplicationSet[]>(queryKey, (before) => before && applyEvents(before, events)),
  });
  return query;
}

function applyEvents(before: readonly ApplicationSet[], events: readonly ApplicationSetWatchEvent[]): readonly ApplicationSet[] {
  const sets = new Map(before.map((set) => [keyOfSet(set), set]));
  for (const { type, applicationSet } of events) {
    const key = keyOfSet(applicationSet);
    if (type === 'DELETED') sets.delete(key);
    else if (isNewer(applicationSet, sets.get(key))) sets.set(key, completeSet(applicationSet));
  }
  return [...sets.values()];
}

/** Where only some fields are asked for, what has none of them is not there at all. */
function completeSet(set: ApplicationSet): ApplicationSet {
  const { generators = [], template, ...spec } = (set as { readonly spec?: Partial<ApplicationSet['spec']> }).spec ?? {};
  return { ...set, spec: { ...spec, generators, template: template ?? { metadata: {}, spec: { project: '', destination: {} } } } };
}

/** Versions of one API are numbers wherever we have met one; where they are not, what comes last is newest. */
function isNewer(next: ApplicationSet, before: ApplicationSet | undefined): boolean {
  const [one, other] = [Number(next.metadata.resourceVersion), Number(before?.metadata.resourceVersion ?? 0)];
  return !(one < other);
}

export function keyOfSet({ metadata }: ApplicationSet): string {
  return `${metadata.namespace}/${metadata.name}`;
}
