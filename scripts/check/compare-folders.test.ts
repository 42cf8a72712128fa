import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compareFolders } from './compare-folders.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairway-compare-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('finds equal folders equal', () => {
  write('a', { 'x.ts': '1', 'y/z.ts': '2' });
  write('b', { 'x.ts': '1', 'y/z.ts': '2' });
  expect(compare()).toEqual([]);
});

it('names what differs, what is missing and what is left over', () => {
  write('a', { 'changed.ts': '1', 'missing.ts': '', 'y/same.ts': '' });
  write('b', { 'changed.ts': '2', 'over.ts': '', 'y/same.ts': '' });
  expect(compare()).toEqual(['changed.ts differs', 'missing.ts is missing', 'over.ts is not generated any more']);
});

it('does not take nothing for success', () => {
  write('a', {});
  write('b', {});
  expect(compare()).toHaveLength(1);
});

function compare(): string[] {
  return compareFolders(join(folder, 'a'), join(folder, 'b'));
}

function write(name: string, files: Record<string, string>): void {
  mkdirSync(join(folder, name, 'y'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, name, path), text);
}
