import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock, type Clock, type Logger } from '../../base/index.ts';
import type { Git } from '../git/git.ts';
import { defaultSourceLimits } from '../limits.ts';
import type { TreeEntry } from './tree-listing.ts';
import { createTrees } from './trees.ts';

class NotedLinks extends Map<string, string> {
  reads = 0;

  override get(path: string): string | undefined {
    this.reads += 1;
    return super.get(path);
  }
}

const options = { git: {} as Git, folder: '/nowhere', clock: {} as Clock, log: {} as Logger };
const trees = createTrees({ ...options, limits: defaultSourceLimits, leavesOutLinks: () => true });
const parts = [{ path: '', repository: 'r', tree: 't' }];

it('the links of a revision are followed once, however often it is put together', () => {
  const links = new NotedLinks([['l', '../x']]);
  const entries = new Map<string, TreeEntry>([['l', { kind: 'symlink', id: 'l', sizeBytes: 4 }]]);
  const whole = { tree: 't', parts, entries, links, fileCount: 0, sizeBytes: 4 };
  for (let look = 0; look < 3; look += 1) expect(trees.keepWithin(whole)).toMatchObject({ parts: [{ leftOut: ['l'] }] });
  expect(links.reads).toBe(1);
  expect(trees.keepWithin({ ...whole, tree: 'other' }).entries.size).toBe(0);
  expect(links.reads).toBe(2);
});

it('DOS-07: so are those that have no end', () => {
  const chain = Array.from({ length: 39 }, (_, at): [string, string] => [`chain-${at}`, `chain-${at + 1}/${'x/'.repeat(50_000)}`]);
  const many = Array.from({ length: 5_000 }, (_, at): [string, string] => [`l-${at}`, 'chain-0']);
  const links = new NotedLinks([...chain, ...many]);
  const whole = { tree: 'endless', parts, entries: new Map<string, TreeEntry>(), links, fileCount: 0, sizeBytes: 0 };
  expect(() => trees.keepWithin(whole)).toThrow('steps to follow');
  const { reads } = links;
  expect(() => trees.keepWithin(whole)).toThrow('steps to follow');
  expect(links.reads).toBe(reads);
});

it('a revision that one finds damaged vanishes at once, and whoever else reads it reads on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trees-'));
  try {
    const local = async ({ args }: { readonly args: readonly string[] }): Promise<Buffer> => {
      await writeFile(join((args[0] ?? '').slice('--work-tree='.length), 'a'), 'text');
      return Buffer.alloc(0);
    };
    const git = { local } as unknown as Git;
    const log = { warn: () => undefined } as unknown as Logger;
    const limits = defaultSourceLimits;
    const kept = createTrees({ git, folder, clock: systemClock, log, limits, leavesOutLinks: () => false });
    const entries = new Map<string, TreeEntry>([['a', { kind: 'file', id: 'a', sizeBytes: 4 }]]);
    const listing = { tree: 'abcd', parts, entries, links: new Map<string, string>(), fileCount: 1, sizeBytes: 4 };
    const [one, other] = [await kept.acquire(listing), await kept.acquire(listing)];
    await kept.discard(listing.tree);
    const graves = async (): Promise<string[]> =>
      (await readdir(folder, { recursive: true })).filter((path) => path.startsWith('unfinished-') && path.endsWith('/a'));
    expect(await readdir(join(folder, 'ab'))).toEqual([]);
    expect(await graves()).toHaveLength(1);
    other.release();
    const anew = await kept.acquire(listing);
    expect(await readdir(anew.folder)).toEqual(['a']);
    one.release();
    await kept.discard(listing.tree);
    expect(await graves()).toHaveLength(1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
