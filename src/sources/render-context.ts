import { ApiError, Code } from '../base/index.ts';
import { DamagedTree } from './trees/damaged-tree.ts';
import type { SourceLimits } from './limits.ts';
import type { ManifestReader } from './manifests/manifest-reader.ts';
import type { RenderTools } from './process/render-tools.ts';
import type { ResultCache, ResultHold } from './results/result-cache.ts';
import type { RenderRequest, ToolPlaces } from './sources.ts';
import type { TreeListing } from './trees/tree-listing.ts';
import type { Trees } from './trees/trees.ts';

/** What every kind of rendering works with. */
export interface RenderContext {
  readonly trees: Trees;
  readonly reader: ManifestReader;
  readonly results: ResultCache;
  readonly limits: SourceLimits;
  readonly tools: RenderTools;
  readonly places: ToolPlaces;
  /** Where private folders are made. */
  readonly privateFolder: string;
}

/** A source at a revision, with all that is known before anything of it is read. */
export interface Place {
  readonly listing: TreeListing;
  /** Of the application, from the root of the revision. */
  readonly folder: string;
}

/** Changes when the same inputs give other objects than before. */
export const rulesVersion = 2;

/** How long what is rendered for a request stands. What somebody sent is theirs: it leaves no trace on the disk. */
export function holdOf(
  { upload }: Pick<RenderRequest, 'upload'>,
  { takesFromElsewhere = false }: { readonly takesFromElsewhere?: boolean } = {},
): ResultHold {
  if (upload !== undefined) return 'unkept';
  return takesFromElsewhere ? 'brief' : 'always';
}

/** Lends the files of a revision; where they turn out to be damaged, they are checked out anew, once. */
export async function withFiles<Result>(
  { trees }: Pick<RenderContext, 'trees'>,
  { listing }: Pick<Place, 'listing'>,
  signal: AbortSignal | undefined,
  use: (root: string) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const lease = await trees.acquire(listing, signal);
    try {
      return await use(lease.folder);
    } catch (error) {
      if (!(error instanceof DamagedTree)) throw error;
      if (attempt > 1) throw new ApiError(Code.Internal, `the cached revision lacks ${error.message}`);
      await trees.discard(listing.tree);
    } finally {
      lease.release();
    }
  }
}

/** The git object ids of folders: what names their whole contents. */
export function idsOf(listing: TreeListing, folders: readonly string[]): string[][] {
  // A link may lead anywhere in the revision: then all of it counts.
  const hasLink = [...listing.links.keys()].some((link) => folders.some((folder) => folder === '' || link.startsWith(`${folder}/`)));
  if (hasLink) return [['', listing.tree]];
  return folders.map((folder) => [folder, folder === '' ? listing.tree : (listing.entries.get(folder)?.id ?? '')]);
}
