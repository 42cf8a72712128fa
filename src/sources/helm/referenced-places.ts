import { ApiError, Code } from '../../base/index.ts';
import type { Mirrors } from '../git/mirrors.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { RenderRequest } from '../sources.ts';
import type { Trees } from '../trees/trees.ts';
import type { ReferencedPlaces } from './helm-renderer.ts';
import type { Helm } from './plan-template.ts';

export interface ReferenceOptions {
  readonly mirrors: Mirrors;
  readonly trees: Trees;
  readonly accessTo: (url: string, project: string) => RepositoryAccess;
}

/** The revisions of those other sources that the chart takes files from; the others are left alone. */
export async function findReferencedPlaces(
  { mirrors, trees, accessTo }: ReferenceOptions,
  request: RenderRequest,
  helm: Helm,
): Promise<ReferencedPlaces> {
  const paths = [...(helm.valueFiles ?? []), ...(helm.fileParameters ?? []).map(({ path = '' }) => path)];
  const used = new Set(paths.filter((path) => path.startsWith('$')).map((path) => path.split('/')[0] ?? ''));
  const places = new Map<string, { commit: Awaited<ReturnType<Mirrors['ensureCommit']>>; listing: Awaited<ReturnType<Trees['list']>> }>();
  for (const [name, { source, revision }] of request.references ?? []) {
    if (!used.has(name)) continue;
    if ((source.chart ?? '') !== '')
      throw new ApiError(Code.Unknown, "source has a 'chart' field defined, but Helm charts are not yet not supported for 'ref' sources");
    const commit = await mirrors.ensureCommit(accessTo(source.repoURL, request.application.project), revision, request.signal);
    places.set(name, { commit, listing: await trees.list(commit, request.signal) });
  }
  return places;
}
