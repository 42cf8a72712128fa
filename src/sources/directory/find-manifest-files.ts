import { ApiError, Code } from '../../base/index.ts';
import type { ApplicationSource } from '../../contract/index.ts';
import { childrenOf, walkBelow } from '../trees/tree-children.ts';
import { resolveInTree } from '../trees/tree-listing.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import { createGlob } from './glob.ts';

export interface ManifestFile {
  /** From the folder of the application. */
  readonly path: string;
  /** From the root of the revision, with symbolic links followed. */
  readonly place: string;
  readonly form: 'yaml' | 'json' | 'jsonnet';
  readonly sizeBytes: number;
}

const EXTENSION = /\.(yaml|yml|json|jsonnet)$/;

/** The files of a directory that may hold manifests, in the order in which they are read. `folder` is a real path of the listing. */
export function findManifestFiles(
  listing: TreeListing,
  folder: string,
  { recurse = false, include = '', exclude = '' }: NonNullable<ApplicationSource['directory']>,
): ManifestFile[] {
  const isIncluded = include === '' ? () => true : createGlob(include);
  const isExcluded = exclude === '' ? () => false : createGlob(exclude);
  const start = folder === '' ? '' : `${folder}/`;
  const files: ManifestFile[] = [];
  const places = recurse ? walkBelow(listing, folder) : childrenOf(listing, folder).map((name) => `${start}${name}`);
  for (const place of places) {
    const kind = listing.entries.get(place)?.kind;
    if (kind !== 'file' && kind !== 'symlink') continue;
    const path = place.slice(start.length);
    const extension = EXTENSION.exec(path)?.[1];
    if (extension === undefined || isExcluded(path) || !isIncluded(path)) continue;
    const target = resolveInTree(listing, place);
    if (!target.found && target.reason === 'outside')
      throw new ApiError(Code.Unknown, `illegal filepath in symlink at ${JSON.stringify(path)}`);
    // A link to nothing, or to a folder, is passed over.
    if (!target.found || target.entry.kind !== 'file') continue;
    const form = extension === 'yml' ? 'yaml' : (extension as ManifestFile['form']);
    files.push({ path, place: target.path, form, sizeBytes: target.entry.sizeBytes });
  }
  return files;
}
