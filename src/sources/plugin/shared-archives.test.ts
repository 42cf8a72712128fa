import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSharedArchives, type SharedArchives } from './shared-archives.ts';

let parent: string;
let archives: SharedArchives;
let packs: number;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'shared-archives-'));
  archives = createSharedArchives(join(parent, 'private'));
  packs = 0;
});
afterEach(() => rm(parent, { recursive: true, force: true }));

async function pack(archive: string) {
  packs += 1;
  await writeFile(archive, `pack ${packs}`);
  return { archive, checksum: '', sizeBytes: 0 };
}

describe('archives for plugins', () => {
  it('are packed once for all who want the same, and are there until the last one lets go', async () => {
    const [one, other] = [archives.take('a', pack), archives.take('a', pack)];
    const { archive } = await one.packed;
    await one.release();
    expect(await readFile((await other.packed).archive, 'utf8')).toBe('pack 1');
    await other.release();
    await expect(readFile(archive)).rejects.toThrow('ENOENT');
    expect({ packs, left: await readdir(join(parent, 'private')) }).toEqual({ packs: 1, left: [] });
  });

  it('are packed anew for what is something else, and after all have let go', async () => {
    const leases = [archives.take('a', pack), archives.take('b', pack)];
    await Promise.all(leases.map((lease) => lease.release()));
    const later = archives.take('a', pack);
    expect(await readFile((await later.packed).archive, 'utf8')).toBe('pack 3');
    await later.release();
  });

  it('fail for all who wait, and not for who asks after that', async () => {
    const broken = (): Promise<never> => Promise.reject(new Error('a file is missing'));
    const [one, other] = [archives.take('a', broken), archives.take('a', pack)];
    await expect(one.packed).rejects.toThrow('a file is missing');
    await expect(other.packed).rejects.toThrow('a file is missing');
    const later = archives.take('a', pack);
    await Promise.all([one.release(), other.release()]);
    expect(await readFile((await later.packed).archive, 'utf8')).toBe('pack 1');
    await later.release();
    expect(await readdir(join(parent, 'private'))).toEqual([]);
  });

  it('are not let go of while they are being packed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const lease = archives.take('a', async (archive) => {
      await promise;
      return pack(archive);
    });
    const released = lease.release();
    resolve();
    await released;
    expect({ packs, left: await readdir(join(parent, 'private')) }).toEqual({ packs: 1, left: [] });
  });
});
