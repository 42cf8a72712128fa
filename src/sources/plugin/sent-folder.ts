import { readGeneratePaths } from '../generate-paths.ts';

/** The smallest folder that holds an application's own folder and all that it says its manifests are made from. */
export function findSentFolder(folder: string, generatePaths: string): string {
  const [first = '', ...others] = readGeneratePaths(folder, generatePaths);
  let common = first.split('/').filter((step) => step !== '');
  for (const path of others) {
    const steps = path.split('/');
    const differs = common.findIndex((step, index) => steps[index] !== step);
    if (differs >= 0) common = common.slice(0, differs);
  }
  return common.join('/');
}
