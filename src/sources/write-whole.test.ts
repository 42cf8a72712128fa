import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeWhole } from './write-whole.ts';

it('a file is in its place, or nothing is left of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'write-whole-'));
  try {
    await writeWhole(join(folder, 'a'), 'text');
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('text');
    // No file takes the place of a folder.
    await mkdir(join(folder, 'taken'));
    await expect(writeWhole(join(folder, 'taken'), 'text')).rejects.toThrow('EISDIR');
    expect((await readdir(folder)).sort()).toEqual(['a', 'taken']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
