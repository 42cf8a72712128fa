import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger, systemClock } from '../../base/index.ts';
import { History } from './history.ts';
import { openDatabase } from './open-database.ts';
import { Sealer } from './sealer.ts';
import { Store } from './store.ts';
import type { Change } from './store.ts';

const FACTS = { uid: 'u', labels: undefined, ownerUids: [], isDeleting: false, expiresMs: undefined, isSealed: false };
const log = createLogger({ level: 'error', format: 'text', write: () => undefined });
const key = (name: string) => ({ resource: 1, namespace: 'default', name });

let folder: string;
let store: Store;
let failNext = false;
let isBroken = false;
const lost: unknown[] = [];
const openStore = (database: DatabaseSync) =>
  new Store({
    database,
    sealer: new Sealer([new Uint8Array(32)]),
    clock: systemClock,
    log,
    cacheCharactersMax: 1_000,
    onLost: (error) => lost.push(error),
  });
beforeEach(() => {
  lost.length = 0;
  isBroken = false;
  folder = mkdtempSync(join(tmpdir(), 'fairway-store-'));
  const database = openDatabase(join(folder, 'a.db'));
  const exec = database.exec.bind(database);
  // A disk that is full fails when a transaction is to be written down, and one that is broken also when it is to be taken back.
  database.exec = (sql) => {
    if (isBroken) throw new Error('disk I/O error');
    if (sql === 'COMMIT' && failNext) {
      failNext = false;
      throw new Error('database or disk is full');
    }
    exec(sql);
  };
  store = openStore(database);
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const put = (name: string) => store.write(() => store.put(key(name), { metadata: { name } }, FACTS));

describe('a group of writes that cannot be written down', () => {
  it('is refused as a whole, leaves nothing and is told to nobody', async () => {
    const told: Change[] = [];
    store.onCommit((changes) => told.push(...changes));
    await put('before');
    failNext = true;
    const results = await Promise.allSettled([
      put('one'),
      put('two'),
      store.write(() => store.remove(key('before'), { metadata: {} }, false)),
    ]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(put('three')).resolves.toMatchObject({ metadata: { resourceVersion: '2' } });
    expect(told.map((change) => change.key.name)).toEqual(['before', 'three']);
    expect(store.lookup(key('one'))).toBeUndefined();
    expect(store.lookup(key('before'))?.object).toMatchObject({ metadata: { name: 'before' } });
    expect(store.counts.count(1, 'default')).toBe(2);
    expect(lost).toEqual([]);
  });
});

describe('a compaction that cannot be written down', () => {
  it('is as if it had not been, and the next forgets what it should have', async () => {
    const history = new History(store, systemClock, { changesMax: 10, ageMs: 60_000 });
    for (let change = 0; change < 5; change += 1) await put('one');
    const rows = (): number => Number(store.database.prepare('SELECT count(*) AS count FROM versions').get()?.['count']);
    failNext = true;
    await expect(history.compact(3)).rejects.toMatchObject({ reason: 'InternalError' });
    expect([history.compactedVersion, rows()]).toEqual([0, 5]);
    await Promise.all([history.compact(4), history.compact(2)]);
    expect([history.compactedVersion, rows()]).toEqual([4, 2]);
  });
});

describe('a compaction that is not on disk yet', () => {
  it('is known to those who read in the same turn: they see no more of what it took', async () => {
    const history = new History(store, systemClock, { changesMax: 10, ageMs: 60_000 });
    for (let change = 0; change < 5; change += 1) await put('one');
    const [, , seen] = await Promise.all([
      put('two'),
      store.read(() => history.compact(3)),
      store.read(() => [history.compactedVersion, history.readChanges(1, 0, 5, 10).length]),
    ]);
    expect(seen).toEqual([3, 3]);
    expect(history.compactedVersion).toBe(3);
  });
});

describe('a listener that fails', () => {
  it('keeps no writer waiting, nor the other listeners from being told', async () => {
    const told: string[] = [];
    store.onCommit(() => {
      throw new Error('no');
    });
    store.onCommit((changes) => told.push(...changes.map((change) => change.key.name)));
    await expect(put('one')).resolves.toMatchObject({ metadata: { name: 'one' } });
    expect(told).toEqual(['one']);
  });
});

describe('a write', () => {
  it('that throws before it has written anything leaves the others of its turn alone', async () => {
    const good = put('good');
    const bad = store.write(() => {
      throw new Error('no');
    });
    await expect(bad).rejects.toThrow('no');
    await expect(good).resolves.toMatchObject({ metadata: { resourceVersion: '1' } });
  });

  it('is seen by the writes after it at once, and by readers when it is on disk', async () => {
    const pending = put('one');
    expect(store.lookup(key('one'))?.version).toBe(1);
    expect(store.committedVersion).toBe(0);
    expect(await store.read(() => store.committedVersion)).toBe(1);
    await pending;
  });
});

describe('the cache', () => {
  it('keeps within its bound and never hides what is stored', async () => {
    for (let index = 0; index < 100; index += 1) await put(`item-${index}`);
    for (let index = 0; index < 100; index += 1)
      expect(store.lookup(key(`item-${index}`))?.object).toMatchObject({ metadata: { name: `item-${index}` } });
  });
});

describe('a disk that fails', () => {
  it('is not trusted again: what was not confirmed is refused, and so is all that comes after', async () => {
    await put('before');
    // The log that is synced is gone from under it, as when a disk stops to answer.
    store.close();
    const database = openDatabase(join(folder, 'a.db'));
    store = openStore(database);
    database.location = () => join(folder, 'elsewhere.db');
    const results = await Promise.allSettled([put('lost'), store.read(() => store.committedVersion)]);
    expect(results).toMatchObject(Array.from({ length: 2 }, () => ({ reason: { reason: 'InternalError' } })));
    await expect(put('after')).rejects.toMatchObject({ reason: 'ServiceUnavailable' });
    await vi.waitFor(() => expect(lost).toMatchObject([{ code: 'ENOENT' }]));
  });

  it('keeps nobody waiting where not even a write can be taken back, and is told once', async () => {
    await put('before');
    const writing = put('lost');
    const reading = store.read(() => store.committedVersion);
    isBroken = true;
    const results = await Promise.allSettled([writing, reading]);
    expect(results).toMatchObject(Array.from({ length: 2 }, () => ({ reason: { reason: 'InternalError' } })));
    await expect(put('after')).rejects.toMatchObject({ reason: 'ServiceUnavailable' });
    await vi.waitFor(() => expect(lost).toEqual([new Error('disk I/O error')]));
    store.close();
  });
});
