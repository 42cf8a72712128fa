import { posix } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import { resolveInTree } from '../trees/tree-listing.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import type { ImportTarget } from './jsonnet-context.ts';

/** A file of the revision that a program imports. */
export interface FoundFile {
  /** As it was named: what it imports itself is looked for beside that. */
  readonly name: string;
  /** With symbolic links followed. */
  readonly place: string;
}

/**
 * Where imports are looked for after the folder of the importing file: the libraries of the source, the last one first, then the
 * folder of the application. Throws an ApiError where a library leaves the repository.
 */
export function searchFolders(listing: TreeListing, folder: string, libraries: readonly string[]): string[] {
  const folders = libraries.map((library) => {
    // A path from the root of the repository, also where it begins with a slash.
    const path = posix.normalize(library.replace(/^\/+/, ''));
    const resolved = resolveInTree(listing, path);
    if (path.startsWith('../') || path === '..' || path.includes('\0') || (!resolved.found && resolved.reason === 'outside'))
      throw new ApiError(Code.Unknown, `file '${library}' resolved to outside repository root`);
    return path;
  });
  return [...folders.toReversed(), folder];
}

/** What `path` means in a file; only what is in the revision can be found at all. */
export function resolveImport(
  listing: TreeListing,
  folders: readonly string[],
  from: string,
  path: string,
): FoundFile | Extract<ImportTarget, { refusal: string }> {
  const quoted = JSON.stringify(path);
  const isOutside = { refusal: `jsonnet import ${quoted} resolves outside repository root` };
  if (posix.isAbsolute(path)) return isOutside;
  let leaves = false;
  // Code that stands in the source itself is in no folder.
  for (const folder of from === '' ? folders : [posix.dirname(from), ...folders]) {
    const name = posix.join(folder === '' ? '.' : folder, path);
    const resolved = name.includes('\0') ? undefined : resolveInTree(listing, name);
    if (name === '..' || name.startsWith('../') || (resolved?.found === false && resolved.reason === 'outside')) leaves = true;
    else if (resolved?.found === true) {
      if (resolved.entry.kind !== 'file') return { refusal: `jsonnet import ${quoted} is not a regular file` };
      return { name, place: resolved.path };
    }
  }
  return leaves ? isOutside : { refusal: `couldn't open import ${quoted}: no match locally or in the Jsonnet library paths` };
}
