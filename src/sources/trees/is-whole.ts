import { lstat } from 'node:fs/promises';
import { encodeName } from './name-bytes.ts';
import type { TreeEntry, TreeListing } from './tree-listing.ts';

const LOOKING_MAX = 64;

/**
 * Whether all files of a revision are on disk, with their sizes. A machine that loses its power may leave some of them empty or cut short,
 * although their folder was put in its place after them: programs would render what is left, and what is missing gets deleted.
 */
export async function isWhole(root: string, { entries }: Pick<TreeListing, 'entries'>): Promise<boolean> {
  const wanted = [...entries].filter(([, { kind }]) => kind === 'file' || kind === 'symlink');
  // What attributes make of a file on its way out of git may have another size.
  const isExact = !wanted.some(([path]) => path === '.gitattributes' || path.endsWith('/.gitattributes'));
  for (let from = 0; from < wanted.length; from += LOOKING_MAX) {
    const looks = wanted.slice(from, from + LOOKING_MAX).map(([path, entry]) => isThere(root, path, { entry, isExact }));
    if ((await Promise.all(looks)).includes(false)) return false;
  }
  return true;
}

async function isThere(
  root: string,
  path: string,
  { entry, isExact }: { readonly entry: TreeEntry; readonly isExact: boolean },
): Promise<boolean> {
  const place = path.isWellFormed() ? `${root}/${path}` : Buffer.concat([Buffer.from(`${root}/`), encodeName(path)]);
  // What cannot be looked at is checked out anew, too.
  const state = await lstat(place).catch(() => undefined);
  if (entry.kind === 'symlink') return state?.isSymbolicLink() === true;
  if (state?.isFile() !== true) return false;
  return isExact ? state.size === entry.sizeBytes : state.size > 0 || entry.sizeBytes === 0;
}
