import { ApiError, Code } from '../base/index.ts';
import { walkBelow } from './trees/tree-children.ts';
import { resolveInTree } from './trees/tree-listing.ts';
import type { TreeListing } from './trees/tree-listing.ts';

/** The folder that an application's `path` names, from the root of the revision, with symbolic links followed. */
export function findAppFolder(listing: TreeListing, path: string): string {
  const refuse = (why: string): ApiError => new ApiError(Code.Unknown, `${path}: ${why}`);
  if (path.startsWith('/')) throw refuse('app path is absolute');
  if (path.includes('\0')) throw refuse('app path does not exist');
  const resolved = resolveInTree(listing, path);
  if (!resolved.found) throw refuse(resolved.reason === 'outside' ? 'app path outside root' : 'app path does not exist');
  if (resolved.entry.kind === 'submodule') throw new ApiError(Code.Unknown, `${path}: the submodule has no URL in .gitmodules`);
  if (resolved.entry.kind !== 'folder') throw refuse('app path is not a directory');
  return resolved.path;
}

/** Manifests in a submodule would be missing without a word, and what is missing gets deleted. */
export function refuseSubmodules(listing: TreeListing, folder: string): void {
  for (const path of walkBelow(listing, folder))
    if (listing.entries.get(path)?.kind === 'submodule')
      throw new ApiError(Code.Unknown, `${path}: the submodule has no URL in .gitmodules`);
}
