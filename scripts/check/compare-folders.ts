/** Compares two folders byte for byte. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The differences, a line each, sorted by path. An empty expectation is itself a difference: nothing was compared. */
export function compareFolders(expected: string, actual: string): string[] {
  const expectedNames = listFiles(expected);
  const actualNames = listFiles(actual);
  if (expectedNames.length === 0) return [`${expected} is empty`];
  return [...new Set([...expectedNames, ...actualNames])].sort().flatMap((name) => {
    if (!actualNames.includes(name)) return [`${name} is missing`];
    if (!expectedNames.includes(name)) return [`${name} is not generated any more`];
    return readFileSync(join(expected, name)).equals(readFileSync(join(actual, name))) ? [] : [`${name} differs`];
  });
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
