/** Reads what the rules look at from the disk. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Tree } from './rule.ts';
import { parseSourceFile } from './source-file.ts';

const FOLDERS: readonly string[] = ['src', 'test', 'bench', 'scripts', 'bin'];
const LINK_MODE = '120000 ';
const LISTING_BYTES_MAX = 16 * 1024 * 1024;
const LISTING_MS_MAX = 30_000;
const CODE = /\.(?:ts|tsx|mts|mjs)$/;

export function readTree(root: string): Tree {
  const paths = FOLDERS.flatMap((folder) => listCode(root, folder));
  return {
    files: paths.map((path) => parseSourceFile(path, readFileSync(join(root, path), 'utf8'))),
    packageJson: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Tree['packageJson'],
    dependenciesPage: readFileSync(join(root, 'docs/dependencies.md'), 'utf8'),
    links: listLinks(root),
  };
}

function listCode(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && CODE.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.includes('/node_modules/'))
    .sort();
}

/** As Git knows them: what lies in a checkout besides is nobody's business. None where the sources are no checkout. */
function listLinks(root: string): string[] {
  if (!existsSync(join(root, '.git'))) return [];
  // Also where the checkout is somebody else's, as in a container: nothing of it is run.
  const args = ['-c', 'safe.directory=*', 'ls-files', '--stage', '-z'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: LISTING_BYTES_MAX, timeout: LISTING_MS_MAX });
  return listed.split('\0').flatMap((line) => (line.startsWith(LINK_MODE) ? [line.slice(line.indexOf('\t') + 1)] : []));
}
