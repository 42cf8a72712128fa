import { posix } from 'node:path';

/**
 * The smallest folder that holds an application's own folder and all that it says its manifests are made from: paths with semicolons
 * between them, from its folder, or from the root of the revision where they begin with a slash.
 */
export function findSentFolder(folder: string, generatePaths: string): string {
  const paths = generatePaths
    .split(';')
    .map((path) => path.trim())
    .filter((path) => path !== '');
  if (paths.length === 0) return '';
  let common = folder.split('/').filter((step) => step !== '');
  for (const path of paths) {
    const whole = posix.normalize(path.startsWith('/') ? path.slice(1) : posix.join(folder, path));
    // What leads out of the revision asks for all of it.
    const steps = whole.startsWith('..') ? [] : whole.split('/').filter((step) => step !== '' && step !== '.');
    const glob = steps.findIndex((step) => /[*?[]/.test(step));
    const known = glob < 0 ? steps : steps.slice(0, glob);
    const differs = common.findIndex((step, index) => known[index] !== step);
    if (differs >= 0) common = common.slice(0, differs);
  }
  return common.join('/');
}
