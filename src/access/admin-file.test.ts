import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAdminFile } from './admin-file.ts';
import { verifyPassword } from './password.ts';

let dataDir: string;
let nowMs = Date.UTC(2026, 0, 1);
const clock = { nowMs: () => nowMs };

async function open(firstPassword?: string) {
  let generatedPassword: string | undefined;
  const reveal = async (password: string) => void (generatedPassword = password);
  const admin = await openAdminFile({ dataDir, firstPassword, reveal, clock });
  return { admin, generatedPassword };
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fairway-admin-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

describe('the admin file', () => {
  it('starts with a random password that is told once', async () => {
    const first = await open();
    const second = await open();
    expect(first.generatedPassword).toMatch(/^[\w-]{16}$/);
    expect(second.generatedPassword).toBeUndefined();
    expect(await verifyPassword(first.generatedPassword ?? '', second.admin.passwordHash)).toBe(true);
    expect(second.admin.signingKey).toEqual(first.admin.signingKey);
    expect(await readFile(join(dataDir, 'admin.json'), 'utf8')).not.toContain(first.generatedPassword);
  });

  it('makes no account when its random password cannot be told', async () => {
    const reveal = () => Promise.reject(new Error('no paper'));
    await expect(openAdminFile({ dataDir, firstPassword: undefined, reveal, clock })).rejects.toThrow('no paper');
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('takes the given first password once, and ignores another one later', async () => {
    expect((await open('first password')).generatedPassword).toBeUndefined();
    const { admin } = await open('another one');
    expect(await verifyPassword('first password', admin.passwordHash)).toBe(true);
    expect(await verifyPassword('another one', admin.passwordHash)).toBe(false);
  });

  it('can be read by its owner alone and leaves nothing else behind', async () => {
    await (await open('x')).admin.revoke('id', nowMs / 1000 + 60);
    expect((await stat(join(dataDir, 'admin.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['admin.json']);
  });

  it('remembers revoked tokens over a restart, and only until they expire', async () => {
    const { admin } = await open('x');
    await Promise.all(['a', 'b', '__proto__'].map((id) => admin.revoke(id, nowMs / 1000 + 60)));
    expect(['a', 'b', '__proto__', 'c'].map((id) => admin.isRevoked(id))).toEqual([true, true, true, false]);
    const reopened = (await open()).admin;
    expect(['a', 'b', '__proto__', 'c'].map((id) => reopened.isRevoked(id))).toEqual([true, true, true, false]);
    nowMs += 61_000;
    await reopened.revoke('late', nowMs / 1000 + 60);
    const content = await readFile(join(dataDir, 'admin.json'), 'utf8');
    expect(Object.keys((JSON.parse(content) as { revoked: object }).revoked)).toEqual(['late']);
  });

  it.each(['', 'null', '{}', '{"passwordHash":"x"', '{"passwordHash":1,"passwordChangedAt":1,"signingKey":"x","revoked":{}}'])(
    'refuses to start anew over a damaged file: %j',
    async (content) => {
      await writeFile(join(dataDir, 'admin.json'), content);
      await expect(open()).rejects.toThrow('admin.json is damaged');
    },
  );

  it('refuses a first password that bcrypt would cut off', async () => {
    await expect(open('x'.repeat(73))).rejects.toThrow('at most 72 bytes');
    expect(await readdir(dataDir)).toEqual([]);
  });
});
