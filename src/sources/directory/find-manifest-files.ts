import { ApiError, Code } from '../../base/index.ts';
import type { ApplicationSource } from '../../contract/index.ts';
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
  for (const [place, entry] of listing.entries) {
    if (!place.startsWith(start) || (entry.kind !== 'file' && entry.kind !== 'symlink')) continue;
    const path = place.slice(start.length);
    if (!recurse && path.includes('/')) continue;
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
  return files.sort((one, other) => comparePaths(one.path, other.path));
}

/** As a walk through folders meets them: names are compared one level after the other. */
function comparePaths(one: string, other: string): number {
  const [left, right] = [one.split('/'), other.split('/')];
  for (const [index, name] of left.entries()) {
    const against = right[index];
    if (against === undefined) return 1;
    if (name !== against) return Buffer.compare(Buffer.from(name), Buffer.from(against));
  }
  return left.length - right.length;
}
