import { ApiError, Code } from '../../base/index.ts';
import type { RenderRequest } from '../sources.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import type { ReferencedPlaces } from './find-value-files.ts';
import type { Helm } from './plan-template.ts';

/** What the commit of a repository holds, fetched for the project of the application. */
export type OpenRevision = (url: string, revision: string) => Promise<{ readonly listing: TreeListing }>;

/** The revisions of those other sources that the chart takes files from; the others are left alone. */
export async function findReferencedPlaces({ references }: RenderRequest, helm: Helm, open: OpenRevision): Promise<ReferencedPlaces> {
  const paths = [...(helm.valueFiles ?? []), ...(helm.fileParameters ?? []).map(({ path = '' }) => path)];
  const used = new Set(paths.filter((path) => path.startsWith('$')).map((path) => path.split('/')[0] ?? ''));
  const places = new Map<string, { readonly listing: TreeListing }>();
  for (const [name, { source, revision }] of references ?? []) {
    if (!used.has(name)) continue;
    if ((source.chart ?? '') !== '')
      throw new ApiError(Code.Unknown, "source has a 'chart' field defined, but Helm charts are not yet not supported for 'ref' sources");
    places.set(name, await open(source.repoURL, revision));
  }
  return places;
}
