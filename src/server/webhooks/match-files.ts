import { posix } from 'node:path';
import { compileGlob } from '../../model/index.ts';

export const generatePathsAnnotation = 'argocd.argoproj.io/manifest-generate-paths';

/** An annotation with more paths than this is read no further. */
const pathsMax = 1_000;

/**
 * Whether a change of these files concerns what is generated from `sourcePath`. The annotation lists paths with `;`: from the root where
 * they begin with a slash, else from the source's own path. Without it, or where it is not known what changed, every change does.
 */
export function matchesFiles(annotation: string | undefined, sourcePath: string, changedFiles: ReadonlySet<string> | undefined): boolean {
  const paths = readPaths(annotation ?? '', sourcePath);
  if (changedFiles === undefined || paths.length === 0) return true;
  return matchesAnyPath(paths, changedFiles);
}

/** Whether a file is at one of the paths, below one, or fits one as a pattern. Paths are from the root, without a slash in front. */
export function matchesAnyPath(paths: readonly string[], files: Iterable<string>): boolean {
  const tests = paths.map((path) => {
    const glob = /[*?[\\]/.test(path) ? compileGlob(path, { separator: '/' }) : undefined;
    return (file: string) => path === '' || file === path || file.startsWith(`${path}/`) || glob?.(file) === true;
  });
  for (const file of files) {
    const clean = fromRoot(file);
    if (tests.some((test) => test(clean))) return true;
  }
  return false;
}

function readPaths(annotation: string, sourcePath: string): string[] {
  const listed = annotation.split(';', pathsMax).map((path) => path.trim());
  return listed.filter((path) => path !== '').map((path) => fromRoot(path.startsWith('/') ? path : `${sourcePath}/${path}`));
}

/** A path cannot leave the repository: what would, starts at its root. */
export function fromRoot(path: string): string {
  return posix.normalize(`/${path}`).replace(/^\/+|\/+$/g, '');
}
