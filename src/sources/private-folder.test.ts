import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../test/support/manual-timers.ts';
import { createLogger } from '../base/index.ts';
import { makePrivateFolder, sweepPrivateFolders, withPrivateFolder } from './private-folder.ts';
import { startPrivateSweep } from './private-sweep.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'private-folder-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const inUseMs = 60_000;

async function leave(name: string, atMs: number): Promise<void> {
  await mkdir(join(parent, name));
  await writeFile(join(parent, name, 'identity'), 'a key');
  await utimes(join(parent, name), new Date(atMs), new Date(atMs));
}

describe('private folders', () => {
  it('that a killed process left go when they are old; those of others and of this one stay', async () => {
    const nowMs = Date.now();
    await leave('run-left', nowMs - inUseMs - 1000);
    await leave('packed-left', nowMs - inUseMs - 1000);
    await leave('run-of-another', nowMs - inUseMs + 1000);
    await leave('something-else', nowMs - inUseMs - 1000);
    const packed = await makePrivateFolder(parent, 'packed');
    await withPrivateFolder(parent, async (own) => {
      for (const path of [own, packed.path]) await utimes(path, new Date(0), new Date(0));
      await sweepPrivateFolders(parent, { nowMs, inUseMs });
      const kept = [own, packed.path].map((path) => path.slice(parent.length + 1));
      expect((await readdir(parent)).sort()).toEqual(['run-of-another', 'something-else', ...kept].sort());
      // Another process that looks sees that they are in use.
      for (const path of [own, packed.path]) expect(Math.abs((await stat(path)).mtimeMs - nowMs)).toBeLessThan(1000);
    });
    await packed.remove();
    expect((await readdir(parent)).sort()).toEqual(['run-of-another', 'something-else']);
  });

  it('are swept at the start and now and then, until it is stopped', async () => {
    const timers = new ManualTimers();
    const nowMs = Date.now();
    const log = createLogger({ level: 'debug', format: 'text', write: () => undefined });
    await leave('run-first', nowMs - inUseMs - 1000);
    const sweep = startPrivateSweep({ folder: parent, limits: { inUseMs }, clock: { nowMs: () => nowMs }, timers, log });
    await expect.poll(() => readdir(parent)).toEqual([]);
    await leave('run-second', nowMs - inUseMs - 1000);
    await expect
      .poll(async () => {
        await timers.advance(inUseMs / 2);
        return await readdir(parent);
      })
      .toEqual([]);
    await sweep.stop();
    await leave('run-third', nowMs - inUseMs - 1000);
    await timers.advance(inUseMs);
    expect(await readdir(parent)).toEqual(['run-third']);
  });

  it('that cannot be removed are told of once, and hold up no other', async () => {
    const timers = new ManualTimers();
    const nowMs = Date.now();
    let logged = '';
    const write = (line: string): void => {
      logged += line;
    };
    const log = createLogger({ level: 'debug', format: 'text', write });
    // Together they are deeper than a path may be long.
    const steps = Array.from({ length: 10 }, () => 'x'.repeat(240));
    const [upper, lower] = [join(parent, 'run-deep', ...steps), join(parent, 'lower')];
    await mkdir(upper, { recursive: true });
    await mkdir(join(lower, ...steps), { recursive: true });
    await rename(lower, join(upper, 'lower'));
    await utimes(join(parent, 'run-deep'), new Date(0), new Date(0));
    await leave('run-left', 0);
    const sweep = startPrivateSweep({ folder: parent, limits: { inUseMs }, clock: { nowMs: () => nowMs }, timers, log });
    await expect.poll(() => readdir(parent)).toEqual(['run-deep']);
    await leave('run-second', 0);
    await utimes(join(parent, 'run-deep'), new Date(0), new Date(0));
    await expect
      .poll(async () => {
        await timers.advance(inUseMs / 2);
        return await readdir(parent);
      })
      .toEqual(['run-deep']);
    await sweep.stop();
    expect(logged.match(/a private folder could not be removed/g)).toHaveLength(1);
    await rename(join(upper, 'lower'), lower);
  });

  it('need not be there to be swept', async () => {
    await expect(sweepPrivateFolders(join(parent, 'nowhere'), { nowMs: 0, inUseMs })).resolves.toBeUndefined();
  });
});
