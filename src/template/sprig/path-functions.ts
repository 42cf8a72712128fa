import { trimEndOf } from '../../base/index.ts';
import { define } from '../go/go-function.ts';
import type { NamedFunctions } from './environment.ts';

/** Paths with slashes; the functions for the machine's own paths are the same where Fairway runs. */
export function pathFunctions(): NamedFunctions {
  const base = define('string', baseName);
  const clean = define('string', cleanPath);
  const dir = define('string', (path: string) => cleanPath(path.slice(0, path.lastIndexOf('/') + 1)));
  const ext = define('string', (path: string) => /\.[^./]*$/.exec(path)?.[0] ?? '');
  const isAbs = define('string', (path: string) => path.startsWith('/'));
  return [
    ['base', base],
    ['clean', clean],
    ['dir', dir],
    ['ext', ext],
    ['isAbs', isAbs],
    ['osBase', base],
    ['osClean', clean],
    ['osDir', dir],
    ['osExt', ext],
    ['osIsAbs', isAbs],
  ];
}

function baseName(path: string): string {
  if (path === '') return '.';
  const trimmed = trimEndOf(path, '/');
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

export function cleanPath(path: string): string {
  const isRooted = path.startsWith('/');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isRooted) kept.push(part);
  }
  const joined = kept.join('/');
  return isRooted ? `/${joined}` : joined === '' ? '.' : joined;
}
