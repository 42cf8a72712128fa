import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sweepMirror } from './sweep-mirror.ts';

describe('what a killed run of git left in a mirror', () => {
  let mirror: string;
  beforeEach(async () => {
    mirror = await mkdtemp(join(tmpdir(), 'sweep-mirror-'));
  });
  afterEach(() => rm(mirror, { recursive: true, force: true }));

  const put = async (path: string, atMs: number): Promise<void> => {
    const place = join(mirror, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, '');
    await utimes(place, new Date(atMs), new Date(atMs));
  };

  it('goes when it is old, and nothing else does', async () => {
    const left = ['objects/pack/tmp_pack_a', 'objects/pack/.tmp-1-pack-b', 'shallow.lock', 'refs/commits/c.lock'];
    const own = ['objects/pack/pack-a.pack', 'refs/heads/main', 'shallow', 'HEAD'];
    for (const path of [...left, ...own]) await put(path, 1_000);
    for (const path of ['objects/pack/tmp_pack_new', 'packed-refs.lock']) await put(path, 9_000);
    expect(await sweepMirror(mirror, 5_000)).toBe(true);
    expect((await readdir(join(mirror, 'objects/pack'))).sort()).toEqual(['pack-a.pack', 'tmp_pack_new']);
    expect((await readdir(mirror)).sort()).toEqual(['HEAD', 'objects', 'packed-refs.lock', 'refs', 'shallow']);
    expect(await readdir(join(mirror, 'refs/commits'))).toEqual([]);
    expect(await sweepMirror(mirror, 5_000)).toBe(false);
  });

  it('may be nothing, also where there is no mirror any more', async () => {
    expect(await sweepMirror(join(mirror, 'gone'), 5_000)).toBe(false);
  });
});
