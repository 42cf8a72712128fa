import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, getJson, isRecord } from '../api/index.ts';
import { applicationPath } from './application-path.ts';
import type { Command } from './commands.ts';
import { useGo } from './navigation.tsx';

const FOUND_MAX = 8;
/** One letter is in everything. */
const RESOURCE_LETTERS_MIN = 2;

/** Applications by name. Asked of the server, so that ten thousand are searched as quickly as ten. */
export function useFoundApplications(wanted: string): readonly Command[] {
  const go = useGo();
  const { data } = useQuery({
    queryKey: ['applications', 'found', wanted],
    queryFn: ({ signal }) =>
      api.ApplicationService.List(
        { search: wanted, limit: FOUND_MAX },
        { signal, fields: 'items.metadata.name,items.metadata.namespace,items.spec.project' },
      ),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    if (wanted === '') return [];
    return (data?.items ?? []).map(({ metadata, spec }) => ({
      id: `application ${metadata.namespace}/${metadata.name}`,
      title: metadata.name ?? '',
      place: spec.project,
      group: 'Applications',
      icon: 'applications' as const,
      run: () => go(applicationPath(metadata)),
    }));
  }, [data, wanted, go]);
}

interface FoundResource {
  readonly application: { readonly name: string; readonly namespace: string };
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** What applications declare, by words of kind and name; opened on the page of its application. */
export function useFoundResources(wanted: string): readonly Command[] {
  const go = useGo();
  const isAsked = wanted.length >= RESOURCE_LETTERS_MIN;
  const { data } = useQuery({
    queryKey: ['resources', 'found', wanted],
    queryFn: ({ signal }) => findResources(wanted, signal),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    if (!isAsked) return [];
    return (data ?? []).map(({ application, group, kind, namespace, name }) => {
      const node = `${group}/${kind}/${namespace}/${name}`;
      return {
        id: `resource ${application.namespace}/${application.name} ${node}`,
        title: `${kind} ${name}`,
        place: `of ${application.name}${namespace === '' ? '' : ` in ${namespace}`}`,
        group: 'Resources',
        icon: 'applicationSets' as const,
        run: () => go(applicationPath(application), { search: { node } }),
      };
    });
  }, [data, isAsked, go]);
}

async function findResources(wanted: string, signal: AbortSignal): Promise<readonly FoundResource[]> {
  const query = new URLSearchParams({ search: wanted, limit: String(FOUND_MAX) });
  const answer = await getJson(`/api/fairway/v1/resources?${query.toString()}`, { signal });
  // What our own server says of itself is taken as it is.
  return isRecord(answer) && Array.isArray(answer['items']) ? (answer['items'] as FoundResource[]) : [];
}
