import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AppInfo, ApplicationSource, HelmChart, RepoAppDetailsResponse } from '../../contract/gen/types.ts';
import { api, getJson, isRecord } from '../api/index.ts';
import { hasPassword } from './has-password.ts';

/** Repositories change seldom while somebody fills in a form. */
const STALE_MS = 60_000;
const PAUSE_MS = 500;
/** A large repository is fetched whole the first time. */
const LOOK_TIMEOUT_MS = 120_000;

export type SourceKind = 'git' | 'helm' | 'oci';

export function kindOf({ repoURL, chart }: ApplicationSource): SourceKind {
  if (repoURL.startsWith('oci://')) return 'oci';
  return chart === undefined ? 'git' : 'helm';
}

/** A value once somebody has paused: nobody is asked about half an address. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return settled;
}

export interface RepositoryContent {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  readonly charts: readonly HelmChart[];
}

/** What a repository offers: branches and tags, or charts. That it answers says that it can be reached, with the credentials that there are. */
export function useRepositoryContent(repoURL: string, kind: SourceKind, project: string): UseQueryResult<RepositoryContent> {
  return useQuery({
    queryKey: ['repository-content', kind, repoURL, project],
    queryFn: async ({ signal }): Promise<RepositoryContent> => {
      const query = { repo: repoURL, appProject: project };
      const options = { signal, timeoutMs: LOOK_TIMEOUT_MS };
      if (kind === 'helm') {
        const { items = [] } = await api.RepositoryService.GetHelmCharts(query, options);
        return { branches: [], tags: [], charts: items };
      }
      const { branches = [], tags = [] } =
        kind === 'oci' ? await api.RepositoryService.ListOCITags(query, options) : await api.RepositoryService.ListRefs(query, options);
      return { branches, tags, charts: [] };
    },
    enabled: isAddress(repoURL) && !isChartRegistry(repoURL, kind),
    staleTime: STALE_MS,
    refetchOnWindowFocus: false,
  });
}

/** Charts in an OCI registry, which nothing lists: their repositories are named without a scheme. */
export function isChartRegistry(repoURL: string, kind: SourceKind): boolean {
  return kind === 'helm' && repoURL !== '' && !repoURL.includes('://');
}

/** The folders of a repository that look like applications. */
export function useRepositoryApps(
  { repoURL, targetRevision = '' }: ApplicationSource,
  { project, appName, isKnown }: { readonly project: string; readonly appName: string; readonly isKnown: boolean },
): UseQueryResult<readonly AppInfo[]> {
  return useQuery({
    queryKey: ['repository-apps', repoURL, targetRevision, project, appName],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ repo: repoURL, revision: targetRevision || 'HEAD', appProject: project, appName });
      const answer = await getJson(`/api/fairway/v1/folders?${query.toString()}`, { signal, timeoutMs: LOOK_TIMEOUT_MS });
      return isRecord(answer) && Array.isArray(answer['items']) ? (answer['items'] as AppInfo[]) : [];
    },
    enabled: isKnown && isAddress(repoURL),
    staleTime: STALE_MS,
    refetchOnWindowFocus: false,
  });
}

/** What a source holds, and how it is rendered. */
export function useSourceDetails(
  source: ApplicationSource,
  { project, appName, index = 0 }: { readonly project: string; readonly appName: string; readonly index?: number },
): UseQueryResult<RepoAppDetailsResponse> {
  return useQuery({
    queryKey: ['source-details', source, project, appName, index],
    queryFn: ({ signal }) =>
      api.RepositoryService.GetAppDetails(
        { source, appProject: project, appName, sourceIndex: index },
        { signal, timeoutMs: LOOK_TIMEOUT_MS },
      ),
    enabled: source.repoURL !== '' && (source.path !== undefined || source.chart !== undefined || source.repoURL.startsWith('oci://')),
    // Another plugin is asked while somebody types its name: what is filled in stays.
    placeholderData: (before) => before,
    staleTime: STALE_MS,
    refetchOnWindowFocus: false,
  });
}

/** Whether a text is whole enough to ask somebody about it. */
function isAddress(text: string): boolean {
  return /^(?:\w[\w+.-]*:\/\/.|[\w.-]+@[\w.-]+:.|\/.|[\w-]+\.[\w.-]+\/?)/.test(text) && !hasPassword(text);
}
