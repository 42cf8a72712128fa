/** Reads what the rules look at from the disk. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Tree } from './rule.ts';
import { parseSourceFile } from './source-file.ts';

const FOLDERS: readonly string[] = ['src', 'test', 'bench', 'scripts', 'bin'];
const CODE = /\.(?:ts|tsx|mts|mjs)$/;

export function readTree(root: string): Tree {
  const paths = FOLDERS.flatMap((folder) => listCode(root, folder));
  return {
    files: paths.map((path) => parseSourceFile(path, readFileSync(join(root, path), 'utf8'))),
    packageJson: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Tree['packageJson'],
    dependenciesPage: readFileSync(join(root, 'docs/dependencies.md'), 'utf8'),
  };
}

function listCode(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && CODE.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.includes('/node_modules/'))
    .sort();
}
