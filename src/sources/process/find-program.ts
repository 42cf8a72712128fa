import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program: the given one, or the first of that name in the folders; its bare name where there is none. */
export function findProgram(name: string, given: string | undefined, searchPath: string): string {
  if (given !== undefined && given !== '') return given;
  for (const folder of searchPath.split(delimiter)) {
    if (!folder.startsWith('/')) continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return name;
}
