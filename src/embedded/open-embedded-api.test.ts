import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMap, startTestApi, types } from '../../test/support/embedded.ts';
import type { TestApi } from '../../test/support/embedded.ts';
import { createLogger } from '../base/index.ts';
import type { KubeObject } from '../objects/index.ts';
import { openEmbeddedApi } from './index.ts';

let test: TestApi;
beforeEach(async () => {
  test = await startTestApi();
});
afterEach(() => test.stop());

const log = createLogger({ level: 'error', format: 'text', write: () => undefined });
const secret = (name: string, value: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default', annotations: { note: value } },
  stringData: { password: value },
});

/** Everything that is on disk, database and write-ahead log. */
function filesContain(text: string): readonly string[] {
  const folder = dirname(test.file);
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
}

describe('the database', () => {
  it('keeps objects and the sequence of versions over a restart', async () => {
    const created = await test.api.create(types.configMaps, configMap('kept'));
    await test.api.create(types.configMaps, configMap('gone'));
    await test.api.delete(types.configMaps, { namespace: 'default', name: 'gone' });
    const version = Number(test.api.resourceVersion);
    await test.reopen();
    expect(await test.api.get(types.configMaps, { namespace: 'default', name: 'kept' })).toEqual(created);
    const next = await test.api.create(types.configMaps, configMap('next'));
    expect(Number(next.metadata.resourceVersion)).toBe(version + 1);
    expect(test.api.checkIntegrity()).toEqual([]);
  });

  it('belongs to one process at a time, which the second is told', async () => {
    await expect(openEmbeddedApi({ file: test.file, clock: test.clock, log })).rejects.toMatchObject({
      message: `${test.file} is in use by another process; only one can have it open`,
    });
  });

  it('is not taken from another program, nor from a newer version of this one', async () => {
    const { DatabaseSync } = await import('node:sqlite');
    const other = join(dirname(test.file), 'other.db');
    const database = new DatabaseSync(other);
    database.exec('CREATE TABLE theirs (a)');
    database.close();
    await expect(openEmbeddedApi({ file: other, clock: test.clock, log })).rejects.toMatchObject({
      message: `${other} is a database of another program`,
    });
    const text = join(dirname(test.file), 'text.db');
    writeFileSync(text, 'this is no database, but it is long enough to be looked at as one'.repeat(20));
    await expect(openEmbeddedApi({ file: text, clock: test.clock, log })).rejects.toThrow(/is no sound database/);
  });

  it('can be read by its owner only', () => {
    for (const name of readdirSync(dirname(test.file))) expect(statSync(join(dirname(test.file), name)).mode & 0o077).toBe(0);
  });

  it('serves nothing after it is closed', async () => {
    const { api } = test;
    await test.reopen();
    await expect(api.get(types.configMaps, { namespace: 'default', name: 'a' })).rejects.toMatchObject({ code: 503 });
    await expect(api.create(types.configMaps, configMap('a'))).rejects.toMatchObject({ code: 503 });
  });

  it('commits the writes of one turn together', async () => {
    const groups: number[] = [];
    test.api.onCommit((changes) => groups.push(changes.length));
    await Promise.all(Array.from({ length: 50 }, (_, index) => test.api.create(types.configMaps, configMap(`item-${index}`))));
    expect(groups).toEqual([50]);
  });
});

describe('secrets', () => {
  it('are never on disk in the clear, neither current nor past', async () => {
    const base64 = (value: string): string => Buffer.from(value).toString('base64');
    await test.api.create(types.secrets, secret('one', 'hunter2-first'));
    await test.api.patch(
      types.secrets,
      { namespace: 'default', name: 'one' },
      { type: 'merge', body: { stringData: { password: 'hunter2-second' } } },
    );
    await test.api.create(types.secrets, secret('two', 'hunter2-third'));
    await test.api.delete(types.secrets, { namespace: 'default', name: 'two' });
    await test.api.create(types.configMaps, configMap('plain', { data: { key: 'visible-text' } }));
    for (const value of ['hunter2-first', 'hunter2-second', 'hunter2-third']) {
      expect(filesContain(value)).toEqual([]);
      expect(filesContain(base64(value))).toEqual([]);
    }
    expect(filesContain('visible-text')).not.toEqual([]);
    await test.reopen();
    for (const value of ['hunter2-first', 'hunter2-second', 'hunter2-third']) expect(filesContain(base64(value))).toEqual([]);
    const stored = await test.api.get(types.secrets, { namespace: 'default', name: 'one' });
    expect(stored).toMatchObject({ type: 'Opaque', data: { password: base64('hunter2-second') } });
  });

  it('are sealed anew when the key changes, and the old key opens nothing any more', async () => {
    const keyFile = `${test.file}.key`;
    const oldKey = readFileSync(keyFile, 'utf8');
    await test.api.create(types.secrets, secret('one', 'value'));
    await test.api.rotateEncryptionKey();
    expect(readFileSync(keyFile, 'utf8')).not.toBe(oldKey);
    expect(readFileSync(keyFile, 'utf8').trim().split('\n')).toHaveLength(1);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    await test.reopen();
    expect(await test.api.get(types.secrets, { namespace: 'default', name: 'one' })).toMatchObject({ metadata: { name: 'one' } });
    await expect(test.reopen({ encryptionKey: Buffer.from(oldKey.trim(), 'hex') })).rejects.toThrow(
      /sealed with the key [0-9a-f]{12}, which is not at hand/,
    );
    await test.reopen();
  });

  it('are sealed anew at the next start when a crash has interrupted that', async () => {
    const keyFile = `${test.file}.key`;
    const oldKey = readFileSync(keyFile, 'utf8');
    await test.api.create(types.secrets, secret('one', 'value'));
    // What a change of keys writes first.
    writeFileSync(keyFile, `${'ab'.repeat(32)}\n${oldKey}`);
    await test.reopen();
    expect(readFileSync(keyFile, 'utf8')).toBe(`${'ab'.repeat(32)}\n`);
    await test.reopen();
    expect(await test.api.get(types.secrets, { namespace: 'default', name: 'one' })).toMatchObject({ metadata: { name: 'one' } });
  });

  it('can be sealed with a given key', async () => {
    const given = await startTestApi({ encryptionKey: new Uint8Array(32).fill(7) });
    await given.api.create(types.secrets, secret('one', 'value'));
    expect(readdirSync(dirname(given.file))).not.toContain('home.db.key');
    await given.reopen({ encryptionKey: [new Uint8Array(32).fill(8), new Uint8Array(32).fill(7)] });
    expect(await given.api.get(types.secrets, { namespace: 'default', name: 'one' })).toMatchObject({ metadata: { name: 'one' } });
    await given.api.rotateEncryptionKey(new Uint8Array(32).fill(9));
    await given.reopen({ encryptionKey: new Uint8Array(32).fill(9) });
    await given.stop();
  });

  it('keep their key: no other process, nor a later start, makes a new one', async () => {
    const keyFile = `${test.file}.key`;
    const key = readFileSync(keyFile, 'utf8');
    await test.api.create(types.secrets, secret('one', 'value'));
    rmSync(keyFile);
    await expect(openEmbeddedApi({ file: test.file, clock: test.clock, log })).rejects.toThrow(/in use by another process/);
    await expect(test.reopen()).rejects.toThrow(`the file with their key, ${keyFile}, is missing`);
    expect(existsSync(keyFile)).toBe(false);
    writeFileSync(keyFile, key, { mode: 0o600 });
    await test.reopen();
  });

  it('are refused with a key file that others can read', async () => {
    const { chmodSync } = await import('node:fs');
    chmodSync(`${test.file}.key`, 0o644);
    await expect(test.reopen()).rejects.toThrow(/must be readable by its owner only/);
    chmodSync(`${test.file}.key`, 0o600);
    await test.reopen();
  });
});
