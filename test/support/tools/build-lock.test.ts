import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withBuildLock } from './build-lock.ts';

const LIMIT_MS = 10_000;

describe('the build lock', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'build-lock-'));
    path = join(folder, 'tool.lock');
  });
  afterEach(async () => await rm(folder, { recursive: true }));

  it('lets one work at a time', async () => {
    let working = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++working);
      await nextTurn();
      working--;
    };
    await Promise.all([1, 2, 3].map(() => withBuildLock(path, work, LIMIT_MS)));
    expect(most).toBe(1);
  });

  it('is released when the work fails', async () => {
    const failing = withBuildLock(path, () => Promise.reject(new Error('no compiler')), LIMIT_MS);
    await expect(failing).rejects.toThrow('no compiler');
    expect(await withBuildLock(path, async () => 'built', LIMIT_MS)).toBe('built');
  });

  it('is taken over from a holder that shows no sign of life', async () => {
    await writeFile(path, '1 dead');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(path, longAgo, longAgo);
    expect(await withBuildLock(path, async () => await readFile(path, 'utf8'), LIMIT_MS)).toContain(`${process.pid} `);
  });

  it('is not taken from a living holder, and waiting for it has a limit', async () => {
    await writeFile(path, '1 alive');
    await expect(withBuildLock(path, async () => 'built', 300)).rejects.toThrow('another process has held');
    expect(await readFile(path, 'utf8')).toBe('1 alive');
  });
});
