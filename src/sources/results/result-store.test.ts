import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger, systemTimers } from '../../base/index.ts';
import { defaultSourceLimits } from '../limits.ts';
import { createResultStore } from './result-store.ts';
import type { ResultStore, ResultStoreOptions } from './result-store.ts';

const HOUR_MS = 3_600_000;
const TEXT = `{"planted":"secret-in-a-result","more":"${'x'.repeat(2_000)}"}`;
const closing: (() => Promise<unknown>)[] = [];
let nowMs = Date.now();
let logged = '';
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  logged = '';
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'results-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function open(folder: string, { limits, ...more }: Partial<Omit<ResultStoreOptions, 'limits'>> & { limits?: object } = {}): ResultStore {
  const store = createResultStore({
    folder,
    secret: () => Buffer.from('a secret'),
    version: '1.0.0',
    limits: { ...defaultSourceLimits, ...limits },
    clock: { nowMs: () => nowMs },
    timers: systemTimers,
    log: createLogger({ level: 'debug', format: 'text', write: (line) => (logged += line) }),
    ...more,
  });
  closing.push(() => store.stop());
  return store;
}

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

describe('results on disk', () => {
  it('INT-04: are found by all who have the secret and the version, and by nobody else', async () => {
    const folder = join(await makeFolder(), 'results');
    await open(folder).write('a', 'kept', TEXT);
    expect(await open(folder).read('a', 'kept')).toBe(TEXT);
    expect(await open(folder).read('b', 'kept')).toBeUndefined();
    expect(await open(folder).read('a', 'brief')).toBeUndefined();
    expect(await open(folder, { secret: () => Buffer.from('another') }).read('a', 'kept')).toBeUndefined();
    expect(await open(folder, { version: '1.0.1' }).read('a', 'kept')).toBeUndefined();
    expect(await open(folder).read('a', 'kept')).toBe(TEXT);
    const without = open(folder, { secret: () => undefined });
    await without.write('c', 'kept', TEXT);
    expect(await without.read('a', 'kept')).toBeUndefined();
    expect(await filesIn(folder)).toHaveLength(1);
    expect(logged).toBe('');
  });

  it('are unreadable and small, in folders and files of their owner alone', async () => {
    const folder = join(await makeFolder(), 'results');
    await open(folder).write('a', 'kept', TEXT);
    const [file = ''] = await filesIn(folder);
    const bytes = await readFile(file);
    expect(bytes.includes('planted')).toBe(false);
    expect(bytes.length).toBeLessThan(TEXT.length / 5);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const path of [folder, join(folder, 'kept'), join(file, '..')]) expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it('INT-02, INT-04: that are changed, cut short or put in the place of another are thrown away and count as not there', async () => {
    const folder = await makeFolder();
    const store = open(folder);
    await store.write('other', 'kept', TEXT);
    const [other = ''] = await filesIn(folder);
    const foreign = await readFile(other);
    await rm(other);
    await store.write('a', 'kept', TEXT);
    const [place = ''] = await filesIn(folder);
    const whole = await readFile(place);
    const flipped = (at: number): Buffer => Buffer.from(whole.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    const damages = [
      Buffer.alloc(0),
      whole.subarray(0, 3),
      whole.subarray(0, 20),
      whole.subarray(0, whole.length - 1),
      Buffer.concat([whole, Buffer.from('x')]),
      // Of the form, the nonce, the tag, the first and the last of the contents.
      ...[0, 5, 20, 32, whole.length - 1].map(flipped),
      foreign,
    ];
    for (const [index, damaged] of damages.entries()) {
      await writeFile(place, damaged);
      expect({ index, text: await store.read('a', 'kept') }).toEqual({ index, text: undefined });
      expect({ index, files: await filesIn(folder) }).toEqual({ index, files: [] });
      await store.write('a', 'kept', TEXT);
      expect(await store.read('a', 'kept')).toBe(TEXT);
    }
    expect(logged.split('\n').filter(Boolean)).toHaveLength(1);
    expect(logged).toContain('a stored result cannot be read, and is thrown away');
    expect(logged).not.toContain('planted');
  });

  it('are never taken from where a link leads, nor from what is no file or too large', async () => {
    const folder = await makeFolder();
    const store = open(folder, { limits: { resultBytesMax: 4_000 } });
    await store.write('a', 'kept', TEXT);
    const [place = ''] = await filesIn(folder);
    const elsewhere = join(await makeFolder(), 'elsewhere');
    await writeFile(elsewhere, await readFile(place));
    const plants = [
      () => symlink(elsewhere, place),
      () => mkdir(join(place, 'x'), { recursive: true }),
      () => writeFile(place, Buffer.alloc(5_000)),
    ];
    for (const plant of plants) {
      await rm(place, { recursive: true, force: true });
      await plant();
      expect(await store.read('a', 'kept')).toBeUndefined();
      expect(await filesIn(folder)).toEqual([]);
    }
    expect(await filesIn(join(elsewhere, '..'))).toEqual([elsewhere]);
    await store.write('large', 'kept', 'x'.repeat(4_001));
    expect(await filesIn(folder)).toEqual([]);
  });

  it('go by age: what is used stays, unless it is to end whatever happens', async () => {
    const folder = await makeFolder();
    const limits = { resultUnusedMs: 48 * HOUR_MS, pluginResultMs: 24 * HOUR_MS };
    const store = open(folder, { limits });
    await store.write('used', 'kept', 'used');
    await store.write('held', 'kept', 'held');
    await store.write('unused', 'kept', 'unused');
    await store.write('brief', 'brief', 'brief');
    await writeFile(join(folder, 'unfinished-x'), 'left by one that was killed');
    await utimes(join(folder, 'unfinished-x'), new Date(nowMs), new Date(nowMs));
    nowMs += 30 * HOUR_MS;
    expect(await store.read('used', 'kept')).toBe('used');
    await store.touch('held');
    nowMs += 20 * HOUR_MS;
    // Another process is started, which only reads.
    const second = open(folder, { limits });
    expect(await second.read('used', 'kept')).toBe('used');
    await second.stop();
    expect(await filesIn(folder)).toHaveLength(2);
    expect(await store.read('held', 'kept')).toBe('held');
  });

  it('stay within their number and bytes; what was used longest ago goes first', async () => {
    for (const limits of [{ resultsDiskMax: 3 }, { resultsDiskBytesMax: 80 }]) {
      const folder = await makeFolder();
      const store = open(folder, { limits });
      for (const key of ['a', 'b', 'c', 'd', 'e']) {
        await store.write(key, 'kept', key);
        nowMs += HOUR_MS;
        await store.read('a', 'kept');
        nowMs += HOUR_MS;
      }
      const sweeper = open(folder, { limits });
      await sweeper.read('a', 'kept');
      await sweeper.stop();
      const left = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => store.read(key, 'kept')));
      expect(left.slice(0, 3)).toEqual(['a', undefined, undefined]);
      expect(left[4]).toBe('e');
    }
  });

  it('that cannot be written are not kept, and nothing fails', async () => {
    const folder = join(await makeFolder(), 'file');
    await writeFile(folder, '');
    const store = open(folder);
    await store.write('a', 'kept', TEXT);
    await store.write('b', 'kept', TEXT);
    expect(await store.read('a', 'kept')).toBeUndefined();
    expect(logged).toContain('a result could not be stored');
    expect(logged.split('\n').filter(Boolean)).toHaveLength(1);
    expect(logged).not.toContain('planted');
  });

  it('whose folder is taken away while they are used are made anew', async () => {
    const folder = join(await makeFolder(), 'results');
    const store = open(folder);
    await store.write('a', 'kept', TEXT);
    await rm(folder, { recursive: true });
    expect(await store.read('a', 'kept')).toBeUndefined();
    await store.write('a', 'kept', TEXT);
    expect(await store.read('a', 'kept')).toBe(TEXT);
  });
});
