import { posix } from 'node:path';
import { compileDoubleStar } from '../../model/index.ts';
import type { Place } from '../render-context.ts';
import { resolveInTree } from '../trees/tree-listing.ts';

const SIGNS = /[*?[\\]/g;

/**
 * The components that an application adds, with patterns as the folders that they stand for: Kustomize would find these by itself, and
 * nobody would have looked at them. A pattern that stands for nothing is left to be complained of.
 */
export function expandComponents(place: Place, components: readonly string[]): string[] {
  return components.flatMap((component) => {
    if (component.search(SIGNS) < 0) return [component];
    const found = findFolders(place, component);
    return found.length === 0 ? [component] : found;
  });
}

/** The pattern that stands for a path alone. */
export function escapePattern(path: string): string {
  return path.replace(SIGNS, '\\$&');
}

function findFolders({ listing, folder }: Place, pattern: string): string[] {
  // Neither braces nor two stars are signs to Kustomize.
  const plain = pattern.replace(/[{}]/g, '\\$&').replace(/\*+/g, '*');
  const matches = compileDoubleStar(posix.join(folder.replace(/[*?[\\{}]/g, '\\$&'), plain));
  const isHidden = (path: string): boolean => posix.basename(path).startsWith('.');
  const found: string[] = [];
  for (const [path, { kind }] of listing.entries) {
    if ((kind !== 'folder' && kind !== 'symlink') || matches?.(path) !== true || (isHidden(path) && !isHidden(pattern))) continue;
    const resolved = resolveInTree(listing, path);
    if (resolved.found && resolved.entry.kind === 'folder') found.push(posix.relative(`/${folder}`, `/${path}`) || '.');
  }
  return found.sort();
}
