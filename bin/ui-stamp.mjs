/** Tells whether the built web interface is that of the sources. Plain JavaScript, since `npm start` asks before anything is installed. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const SOURCES = 'src/ui';
const ALSO = ['src/contract/gen/rest-routes.ts', 'scripts/build/build-ui.ts', 'package-lock.json'];
const STAMP = 'build-stamp.txt';

/**
 * Where the built interface is, in a checkout.
 * @param {string} root
 */
export function uiFolder(root) {
  return join(root, 'dist', 'ui');
}

/**
 * A name for what the interface would be built from; undefined where there are no sources.
 * @param {string} root
 * @returns {string | undefined}
 */
export function uiStamp(root) {
  const folder = join(root, SOURCES);
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const path of [...names, ...ALSO.map((name) => join(root, name))]) {
    if (existsSync(path)) hash.update(relative(root, path)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} folder that has a built interface, perhaps
 */
export function isUiCurrent(root, folder = uiFolder(root)) {
  const path = join(folder, STAMP);
  const wanted = uiStamp(root);
  return wanted === undefined || (existsSync(path) && readFileSync(path, 'utf8').trim() === wanted);
}

/** The file in a built interface that has its stamp. */
export const uiStampName = STAMP;
