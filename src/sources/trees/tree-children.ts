import type { TreeListing } from './tree-listing.ts';

/** By the entries of a listing: made when it is first asked for, since only then somebody walks through it. */
const known = new WeakMap<TreeListing['entries'], ReadonlyMap<string, readonly string[]>>();

/** The names in a folder, in byte order. A repository may have a hundred thousand files and each application only a few of them. */
export function childrenOf(listing: TreeListing, folder: string): readonly string[] {
  let children = known.get(listing.entries);
  if (children === undefined) {
    children = indexChildren(listing);
    known.set(listing.entries, children);
  }
  return children.get(folder) ?? [];
}

/** The paths of everything below a folder, as a walk meets them: each level in byte order. */
export function* walkBelow(listing: TreeListing, folder: string): Generator<string> {
  for (const name of childrenOf(listing, folder)) {
    const path = folder === '' ? name : `${folder}/${name}`;
    yield path;
    if (listing.entries.get(path)?.kind === 'folder') yield* walkBelow(listing, path);
  }
}

function indexChildren({ entries }: TreeListing): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const path of entries.keys()) {
    const slash = path.lastIndexOf('/');
    const folder = slash < 0 ? '' : path.slice(0, slash);
    const names = children.get(folder);
    if (names === undefined) children.set(folder, [path.slice(slash + 1)]);
    else names.push(path.slice(slash + 1));
  }
  for (const names of children.values()) names.sort(compareBytes);
  return children;
}

/** Most names are plain, where the order of code units is that of bytes. */
function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
