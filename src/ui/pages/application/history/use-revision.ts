import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { RevisionMetadata } from '../../../../contract/gen/types.ts';
import { api } from '../../../api/index.ts';
import { toYaml } from '../resource/yaml-text.ts';
import { useShownName } from '../use-application.ts';

/** What a commit says about itself never changes. */
const FOREVER = Number.POSITIVE_INFINITY;

export function useRevision(revision: string | undefined): UseQueryResult<RevisionMetadata> {
  const name = useShownName();
  return useQuery({
    queryKey: ['application', name.appNamespace, name.name, 'revision', revision],
    queryFn: ({ signal }) => api.ApplicationService.RevisionMetadata({ ...name, revision: revision ?? '' }, { signal }),
    enabled: revision !== undefined && /^[0-9a-f]{40}$/.test(revision),
    staleTime: FOREVER,
    retry: false,
  });
}

/** Everything that a revision declares, as one YAML text in the order of kinds and names. */
export function useManifests(revision: string): UseQueryResult<string> {
  const name = useShownName();
  return useQuery({
    queryKey: ['application', name.appNamespace, name.name, 'manifests', revision],
    queryFn: async ({ signal }) => {
      const { manifests = [] } = await api.ApplicationService.GetManifests({ ...name, revision }, { signal, timeoutMs: 90_000 });
      return joinManifests(manifests);
    },
    staleTime: FOREVER,
  });
}

export function joinManifests(manifests: readonly string[]): string {
  return manifests
    .filter((manifest) => manifest !== '' && manifest !== 'null')
    .map((manifest) => ({ key: keyOf(manifest), text: toYaml(manifest) }))
    .toSorted((left, right) => left.key.localeCompare(right.key))
    .map(({ text }) => text)
    .join('---\n');
}

function keyOf(manifest: string): string {
  const { kind = '', metadata } = JSON.parse(manifest) as { kind?: string; metadata?: { namespace?: string; name?: string } };
  return `${kind}/${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
