import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { extendLog } from './extend-log.ts';
import { checkDatabase, openDatabase } from './open-database.ts';

const MEBIBYTE = 1024 * 1024;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairway-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('gives the log its length step by step, without touching what it holds, also for who finds it after a crash', async () => {
  const file = join(folder, 'a.db');
  const sizeOf = (): number => statSync(`${file}-wal`).size;
  const timers = new ManualTimers();
  const database = openDatabase(file);
  const write = (key: string): void => void database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run(key, 'x'.repeat(5_000));
  const readKeys = (from: typeof database): unknown[] =>
    from
      .prepare('SELECT key FROM meta ORDER BY key')
      .all()
      .map(({ key }) => key);
  write('before');
  const early = sizeOf();
  const stop = extendLog({ database, sizeBytes: 3 * MEBIBYTE + 5, timers });
  await timers.advance(1_000);
  expect(sizeOf()).toBe(early + MEBIBYTE);
  await waitUntil(() => timers.waiting === 1);
  write('between');
  for (let step = 0; step < 3; step += 1) {
    await timers.advance(20);
    await waitUntil(() => timers.waiting === 1 || sizeOf() === 3 * MEBIBYTE + 5);
  }
  await timers.advance(20);
  expect(sizeOf()).toBe(3 * MEBIBYTE + 5);
  for (let index = 0; index < 60; index += 1) write(`late-${String(index).padStart(3, '0')}`);
  expect(sizeOf()).toBe(3 * MEBIBYTE + 5);

  const expected = readKeys(database);
  const copy = join(folder, 'copy.db');
  for (const suffix of ['', '-wal']) cpSync(file + suffix, copy + suffix);
  const found = openDatabase(copy);
  expect(readKeys(found)).toEqual(expected);
  expect(checkDatabase(found)).toEqual([]);
  found.close();
  stop();
  database.close();
});
