import { describe, expect, it } from 'vitest';
import { heapInUse } from '../../../test/support/heap-in-use.ts';
import { findEscapingLinks, parseLinkTarget, parseTreeEntries, resolveInTree } from './tree-listing.ts';
import type { TreeEntry } from './tree-listing.ts';

function tree(files: readonly string[], links: Readonly<Record<string, string>> = {}) {
  const entries = new Map<string, TreeEntry>();
  for (const path of [...files, ...Object.keys(links)]) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1)
      entries.set(parts.slice(0, depth).join('/'), { kind: 'folder', id: 'f', sizeBytes: 0 });
    entries.set(path, { kind: path in links ? 'symlink' : 'file', id: path, sizeBytes: 1 });
  }
  return { entries, links: new Map(Object.entries(links)) };
}

describe('a listing', () => {
  const record = (mode: string, type: string, size: string, path: string): string =>
    `${mode} ${type} ${'ab'.repeat(20)} ${size.padStart(7)}\t${path}\0`;

  it('is read with names that hold anything but the end of one', () => {
    const output = [
      record('040000', 'tree', '-', 'ordner ä'),
      record('100755', 'blob', '12', 'ordner ä/tab\there  and\nthere'),
      record('120000', 'blob', '3', 'link'),
      record('160000', 'commit', '-', 'module'),
    ];
    const id = 'ab'.repeat(20);
    expect([...parseTreeEntries(Buffer.from(`${output.join('')}cut off`))]).toEqual([
      ['ordner ä', { kind: 'folder', id, sizeBytes: 0 }],
      ['ordner ä/tab\there  and\nthere', { kind: 'file', id, sizeBytes: 12 }],
      ['link', { kind: 'symlink', id, sizeBytes: 3 }],
      ['module', { kind: 'submodule', id, sizeBytes: 0 }],
    ]);
    expect(parseTreeEntries(Buffer.alloc(0)).size).toBe(0);
  });

  it('is not kept alive by what was taken from it', () => {
    const output = Buffer.from(record('100644', 'blob', '12', `${'some-folder/'.repeat(10)}file`).repeat(5_000));
    const takeOne = (): unknown => [...parseTreeEntries(output)][0];
    const before = heapInUse();
    const taken = Array.from({ length: 40 }, takeOne);
    expect(heapInUse() - before).toBeLessThan(output.length);
    expect(taken).toHaveLength(40);
  });
});

describe('a path in a revision', () => {
  const listing = tree(['apps/web/a.yaml', 'shared/b.yaml'], {
    'apps/web/b.yaml': '../../shared/b.yaml',
    'apps/current': 'web',
    'x/up': '..',
  });

  it.each([
    ['apps/web/a.yaml', 'apps/web/a.yaml'],
    ['./apps//web/../web/', 'apps/web'],
    ['apps/web/b.yaml', 'shared/b.yaml'],
    ['apps/current/b.yaml', 'shared/b.yaml'],
    ['x/up/shared/b.yaml', 'shared/b.yaml'],
    ['.', ''],
    ['', ''],
  ])('%s leads to %s', (path, resolved) => expect(resolveInTree(listing, path)).toMatchObject({ found: true, path: resolved }));

  it.each(['..', 'apps/../../x', 'x/up/../y', 'nope/../../..'])('%s leads outside', (path) =>
    expect(resolveInTree(listing, path)).toEqual({ found: false, reason: 'outside' }),
  );

  it('may lead nowhere', () => expect(resolveInTree(listing, 'apps/nope')).toEqual({ found: false, reason: 'missing' }));
});

describe('PATH-06: a symbolic link', () => {
  it.each([
    [{ 'a/l': '/etc/passwd' }],
    [{ 'a/l': '../../etc/passwd' }],
    [{ 'a/l': '../../a/f.yaml' }],
    [{ 'a/up': '..', 'a/l': 'up/../x' }],
    [{ l: 'nope/../../x' }],
  ])('out of bounds is found: %j', (links) => expect(findEscapingLinks(tree(['a/f.yaml'], links))[0]).toMatch(/l$/));

  it('DOS-07: is not followed for ever, nor are very many of them', () => {
    const long = 'a/../'.repeat(800);
    const chain = Array.from({ length: 30 }, (_, at): [string, string] => [`chain-${at}`, `${long}chain-${at + 1}`]);
    const many = Array.from({ length: 5_000 }, (_, at): [string, string] => [`l-${at}`, `${long}chain-0`]);
    const hostile = tree(['a/f.yaml'], Object.fromEntries([...chain, ...many]));
    expect(() => findEscapingLinks(hostile)).toThrow('steps to follow');
    expect(findEscapingLinks(tree(['a/f.yaml'], Object.fromEntries(many.map(([path]) => [path, 'a/f.yaml']))))).toEqual([]);
  });

  it('DOS-07: pays for what it leads to before it is gone there, and for how long the way is', () => {
    const rest = 'x/'.repeat(50_000);
    const chain = Array.from({ length: 39 }, (_, at): [string, string] => [`chain-${at}`, `chain-${at + 1}/${rest}`]);
    const many = Array.from({ length: 5_000 }, (_, at): [string, string] => [`l-${at}`, 'chain-0']);
    expect(() => findEscapingLinks(tree([], Object.fromEntries([...chain, ...many])))).toThrow('steps to follow');
    const deep = 'd/'.repeat(2_000);
    expect(() => findEscapingLinks(tree([`${deep}e/f`], { [`${deep}l`]: 'e/../'.repeat(400_000) }))).toThrow('steps to follow');
  });

  it('points to what stands before the first NUL', () => {
    expect(parseLinkTarget(Buffer.from('../ä'))).toBe('../ä');
    expect(parseLinkTarget(Buffer.from('..\0z/../x'))).toBe('..');
  });

  it('within bounds is allowed, and so are dangling ones and circles', () => {
    const links = { 'a/l': '../b/f.yaml', 'a/d': 'nope', 'a/one': 'two', 'a/two': 'one', up: 'a/..' };
    expect(findEscapingLinks(tree(['b/f.yaml'], links))).toEqual([]);
  });
});

describe('the listing of git', () => {
  it('is read with any name', () => {
    const id = 'a'.repeat(40);
    const records = [
      `040000 tree ${id}       -\tä b`,
      `100644 blob ${id}      12\tä b/x\ty\n.yaml`,
      `120000 blob ${id}       3\tl`,
      `160000 commit ${id}       -\tsub`,
    ];
    const text = records.map((record) => `${record}\u0000`).join('');
    expect([...parseTreeEntries(Buffer.from(text))]).toEqual([
      ['ä b', { kind: 'folder', id, sizeBytes: 0 }],
      ['ä b/x\ty\n.yaml', { kind: 'file', id, sizeBytes: 12 }],
      ['l', { kind: 'symlink', id, sizeBytes: 3 }],
      ['sub', { kind: 'submodule', id, sizeBytes: 0 }],
    ]);
  });
});
