import { posix } from 'node:path';
import { idsOf } from './render-context.ts';
import type { Place } from './render-context.ts';
import { resolveInTree } from './trees/tree-listing.ts';

const PATHS_MAX = 1000;

/**
 * What an application says its manifests are made from, its own folder among it, as paths from the root of the revision: the annotation has
 * paths with semicolons between them, from the folder, or from the root where they begin with a slash. A pattern counts as the folder that
 * it is in, and what leads out of the revision as all of it. Empty where nothing is said.
 */
export function readGeneratePaths(folder: string, annotation: string): string[] {
  const written = annotation
    .split(';')
    .map((path) => path.trim())
    .filter((path) => path !== '');
  if (written.length === 0) return [];
  if (written.length > PATHS_MAX) return [''];
  return [folder, ...new Set(written.map((path) => fromRoot(folder, path)))];
}

/** The names of the contents of all that; undefined where nothing is said. Links are followed. */
export function idsOfGeneratePaths({ listing, folder }: Place, annotation: string): string[][] | undefined {
  const paths = readGeneratePaths(folder, annotation);
  if (paths.length === 0) return undefined;
  const places = paths.map((path) => {
    const resolved = resolveInTree(listing, path);
    return resolved.found ? resolved.path : path;
  });
  return idsOf(listing, places);
}

function fromRoot(folder: string, path: string): string {
  const whole = posix.normalize(path.startsWith('/') ? path.slice(1) : posix.join(folder, path));
  const steps = whole.startsWith('..') ? [] : whole.split('/').filter((step) => step !== '' && step !== '.');
  const pattern = steps.findIndex((step) => /[*?[\\]/.test(step));
  return (pattern < 0 ? steps : steps.slice(0, pattern)).join('/');
}
