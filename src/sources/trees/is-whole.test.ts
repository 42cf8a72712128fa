import { mkdtemp, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isWhole } from './is-whole.ts';
import type { TreeEntry } from './tree-listing.ts';

describe('a revision on disk', () => {
  const file = (sizeBytes: number): TreeEntry => ({ kind: 'file', id: 'x', sizeBytes });
  let root: string;
  let entries: Map<string, TreeEntry>;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'is-whole-'));
    await writeFile(join(root, 'a'), 'text');
    await writeFile(join(root, 'empty'), '');
    await symlink('a', join(root, 'link'));
    entries = new Map<string, TreeEntry>([
      ['a', file(4)],
      ['empty', file(0)],
      ['link', { kind: 'symlink', id: 'x', sizeBytes: 1 }],
    ]);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('is whole with all of its files and links', async () => {
    expect(await isWhole(root, { entries })).toBe(true);
  });

  it.each(['', 'tex'])('is not where a file is cut short to %j', async (text) => {
    await writeFile(join(root, 'a'), text);
    expect(await isWhole(root, { entries })).toBe(false);
  });

  it.each(['a', 'empty', 'link'])('is not without %s', async (name) => {
    await unlink(join(root, name));
    expect(await isWhole(root, { entries })).toBe(false);
  });

  it('may have files of other sizes where attributes decide about them, but no empty ones', async () => {
    await writeFile(join(root, '.gitattributes'), '* eol=crlf');
    entries.set('.gitattributes', file(10));
    await writeFile(join(root, 'a'), 'text and more');
    expect(await isWhole(root, { entries })).toBe(true);
    await writeFile(join(root, 'a'), '');
    expect(await isWhole(root, { entries })).toBe(false);
  });
});
