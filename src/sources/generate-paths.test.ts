import { expect, it } from 'vitest';
import { readGeneratePaths } from './generate-paths.ts';

it.each([
  ['', []],
  [' ; ', []],
  ['.', ['apps/web']],
  ['.;../shared;/lib/*.yaml', ['apps/web', 'apps/shared', 'lib']],
  ['/lib', ['apps/web', 'lib']],
  ['/', ['apps/web', '']],
  ['../../..', ['apps/web', '']],
  ['../*/base', ['apps/web', 'apps']],
  ['/a\\*b', ['apps/web', '']],
  [Array.from({ length: 1001 }, (_, index) => `/x${index}`).join(';'), ['']],
])('of apps/web, %j is what is at %j', (annotation, paths) => {
  expect([...new Set(readGeneratePaths('apps/web', annotation))]).toEqual(paths);
});
