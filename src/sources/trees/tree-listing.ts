import { ApiError, Code } from '../../base/index.ts';
import { decodeName } from './name-bytes.ts';

/** One entry of a revision. */
export interface TreeEntry {
  readonly kind: 'file' | 'folder' | 'symlink' | 'submodule';
  /** The git object id. */
  readonly id: string;
  readonly sizeBytes: number;
}

interface GitPart {
  readonly path: string;
  readonly repository: string;
  readonly tree: string;
  readonly leftOut?: readonly string[];
}

/**
 * A tree of some repository, a packed chart or a single file, and where it goes: the path is from the root, empty for the root itself. What is left
 * out of a tree are links, from its own root.
 */
export type TreePart = GitPart | { readonly path: string; readonly archive: string } | { readonly path: string; readonly object: string };

/** Everything that a revision holds, by path from its root, without its contents. The root itself is the empty path. */
export interface TreeListing {
  /** The object id of its tree; made up where submodules are part of it. */
  readonly tree: string;
  /** What it is checked out from: the tree itself, and those of its submodules. */
  readonly parts: readonly TreePart[];
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** Where symbolic links point, by path. */
  readonly links: ReadonlyMap<string, string>;
  readonly fileCount: number;
  readonly sizeBytes: number;
}

const MODE_LENGTH = 6;
const KINDS: Readonly<Record<string, TreeEntry['kind']>> = { '040000': 'folder', '120000': 'symlink', '160000': 'submodule' };

const [TAB, SPACE, END] = [0x09, 0x20, 0x00];

/**
 * Reads what `git ls-tree -r -t -l -z` writes. Each text is read by itself: one that was cut from all of it would keep all of it, and some
 * outlive the listing by far.
 */
export function parseTreeEntries(output: Buffer): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (let at = 0, end = output.indexOf(END); end >= 0; at = end + 1, end = output.indexOf(END, at)) {
    const tab = output.indexOf(TAB, at);
    if (tab < 0 || tab > end) continue;
    const idAt = output.indexOf(SPACE, output.indexOf(SPACE, at) + 1) + 1;
    const idEnd = output.indexOf(SPACE, idAt);
    const kind = KINDS[output.toString('latin1', at, at + MODE_LENGTH)] ?? 'file';
    const size = output.toString('latin1', idEnd, tab).trim();
    const id = output.toString('latin1', idAt, idEnd);
    entries.set(decodeName(output.subarray(tab + 1, end)), { kind, id, sizeBytes: size === '-' ? 0 : Number(size) });
  }
  return entries;
}

/** Where the file of a symbolic link makes it point: the system takes what it is given up to the first NUL. */
export function parseLinkTarget(content: Buffer): string {
  const end = content.indexOf(END);
  return decodeName(end < 0 ? content : content.subarray(0, end));
}

/** Where a path leads when its symbolic links are followed; `outside` where it leaves the root on its way, even to come back. */
export type ResolvedPath =
  | { readonly found: true; readonly path: string; readonly entry: TreeEntry }
  | { readonly found: false; readonly reason: 'outside' | 'missing' };

const HOPS_MAX = 40;
/** That all links of a revision take together. */
const LINK_STEPS_MAX = 5_000_000;
const ROOT: TreeEntry = { kind: 'folder', id: '', sizeBytes: 0 };

/** Counts what following paths takes. */
interface Steps {
  left: number;
}

export function resolveInTree(
  { entries, links }: Pick<TreeListing, 'entries' | 'links'>,
  path: string,
  allowed: Steps = { left: Infinity },
): ResolvedPath {
  const steps = path.split('/').reverse();
  let at = '';
  let hops = 0;
  while (steps.length > 0) {
    const step = steps.pop() ?? '';
    spend(allowed, 1);
    if (step === '' || step === '.') continue;
    if (step === '..') {
      if (at === '') return { found: false, reason: 'outside' };
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
      continue;
    }
    const here = at === '' ? step : `${at}/${step}`;
    // To look up a long one takes longer.
    spend(allowed, here.length >> 6);
    const target = links.get(here);
    if (target === undefined) {
      if (!entries.has(here)) return missing(steps, here.split('/').length);
      at = here;
      continue;
    }
    hops += 1;
    if (target.startsWith('/')) return { found: false, reason: 'outside' };
    if (hops > HOPS_MAX) return { found: false, reason: 'missing' };
    const further = target.split('/');
    // Also where none of them is taken in the end: many links may lead to few that are very long.
    spend(allowed, further.length);
    for (const each of further.reverse()) steps.push(each);
  }
  return { found: true, path: at, entry: at === '' ? ROOT : (entries.get(at) ?? ROOT) };
}

function spend(allowed: Steps, steps: number): void {
  allowed.left -= steps;
  // It stays so with the revision. Were it told as what passes by itself, each look would follow them again.
  if (allowed.left < 0) throw new ApiError(Code.Unknown, 'the symbolic links of the revision take too many steps to follow');
}

/** What does not exist can still point outside with the rest of its steps. */
function missing(rest: readonly string[], depth: number): ResolvedPath {
  let level = depth;
  for (const step of rest.toReversed()) {
    if (step === '' || step === '.') continue;
    level += step === '..' ? -1 : 1;
    if (level < 0) return { found: false, reason: 'outside' };
  }
  return { found: false, reason: 'missing' };
}

/** The symbolic links, in byte order, that are absolute or leave the root on their way. Throws where there is no end to following them. */
export function findEscapingLinks(listing: Pick<TreeListing, 'entries' | 'links'>): string[] {
  const allowed = { left: LINK_STEPS_MAX };
  return [...listing.links.keys()].sort().filter((path) => {
    const resolved = resolveInTree(listing, path, allowed);
    return !resolved.found && resolved.reason === 'outside';
  });
}

/** The listing without some of its links; its parts say so, for whoever checks them out. */
export function leaveOut(listing: TreeListing, paths: readonly string[]): TreeListing {
  const entries = new Map(listing.entries);
  const links = new Map(listing.links);
  const byPart = new Map<TreePart, string[]>();
  for (const path of paths) {
    entries.delete(path);
    links.delete(path);
    const part = partOf(listing, path);
    if (part === undefined) continue;
    const fromRoot = part.path === '' ? path : path.slice(part.path.length + 1);
    const leftOut = byPart.get(part) ?? [...(part.leftOut ?? [])];
    leftOut.push(fromRoot);
    byPart.set(part, leftOut);
  }
  const parts = listing.parts.map((part) => {
    const leftOut = byPart.get(part);
    return leftOut === undefined ? part : { ...part, leftOut };
  });
  return { ...listing, entries, links, parts };
}

/** The innermost tree that a path is in. */
export function partOf({ parts }: Pick<TreeListing, 'parts'>, path: string): GitPart | undefined {
  let found: GitPart | undefined;
  for (const part of parts) {
    if (!('repository' in part) || part.path.length < (found?.path.length ?? 0)) continue;
    if (part.path === '' || path.startsWith(`${part.path}/`)) found = part;
  }
  return found;
}
