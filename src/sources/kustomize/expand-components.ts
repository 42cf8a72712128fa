import { posix } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import { compileGlob } from '../../model/index.ts';
import type { Place } from '../render-context.ts';
import { childrenOf } from '../trees/tree-children.ts';
import { resolveInTree } from '../trees/tree-listing.ts';

const SIGNS = /[*?[\\]/g;
/** What is no sign to Kustomize, and would be one here. */
const PLAIN: Readonly<Record<string, string>> = { '{': '\\{', '}': '\\}', '[!': '[\\!' };
/** No path is longer. */
const PATTERN_LENGTH_MAX = 4_096;
/** How many names all patterns of an application may be held against, and how many steps it may take to get to them. */
const NAMES_MAX = 100_000;
const STEPS_MAX = 1_000_000;

/**
 * The components that an application adds, with patterns as the folders that they stand for: Kustomize would find these by itself, and
 * nobody would have looked at them. A pattern that stands for nothing is left to be complained of.
 */
export function expandComponents(place: Place, components: readonly string[]): string[] {
  const search = { ...place, names: NAMES_MAX, steps: { left: STEPS_MAX } };
  // Kustomize adds each once, too.
  const expanded = new Set<string>();
  for (const component of components) {
    const found = component.search(SIGNS) < 0 ? [] : findFolders(search, component);
    for (const each of found.length === 0 ? [component] : found) expanded.add(each);
  }
  return [...expanded];
}

/** The pattern that stands for a path alone. */
export function escapePattern(path: string): string {
  return path.replace(SIGNS, '\\$&');
}

interface Search extends Place {
  /** How many of either are left. */
  names: number;
  readonly steps: { left: number };
}

/** In the order of Kustomize, which goes from folder to folder, also where one is a link. */
function findFolders(search: Search, pattern: string): string[] {
  if (pattern.length > PATTERN_LENGTH_MAX) return [];
  const { folder } = search;
  let paths = [folder];
  for (const segment of posix.normalize(pattern).split('/')) {
    // Such a pattern is absolute, or ends with a slash, and stands for nothing.
    if (segment === '') return [];
    spend(search, paths.length);
    paths = segment.search(SIGNS) < 0 ? paths.map((path) => posix.join(path, segment)) : expandSegment(search, paths, segment);
  }
  const isHidden = (path: string): boolean => posix.basename(path).startsWith('.');
  return paths
    .filter((path) => (!isHidden(path) || isHidden(pattern)) && findFolder(search, path) !== undefined)
    .map((path) => posix.relative(`/${folder}`, `/${path}`) || '.');
}

function expandSegment(search: Search, paths: readonly string[], segment: string): string[] {
  const fits = compileGlob(segment.replace(/\\[^]|[{}]|\[!/g, (sign) => PLAIN[sign] ?? sign));
  if (fits === undefined) return [];
  return paths.flatMap((path) =>
    namesIn(search, path)
      .filter(fits)
      .map((name) => posix.join(path, name)),
  );
}

function namesIn(search: Search, path: string): readonly string[] {
  const found = findFolder(search, path);
  const names = found === undefined ? [] : childrenOf(search.listing, found);
  spend(search, names.length);
  return names;
}

/** Where a folder really is. */
function findFolder({ listing, steps }: Search, path: string): string | undefined {
  const resolved = resolveInTree(listing, path, steps);
  return resolved.found && resolved.entry.kind === 'folder' ? resolved.path : undefined;
}

function spend(search: Search, names: number): void {
  search.names -= names;
  if (search.names < 0)
    throw new ApiError(Code.Unknown, `the patterns among the components would have to be held against more than ${NAMES_MAX} names`);
}
