import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMap, openEmbeddedHome, secret, type EmbeddedHome } from '../../test/support/embedded-home.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { statusError } from '../objects/index.ts';
import { createAccountStore } from './accounts/account-store.ts';
import { configMapType, secretType } from './home-objects.ts';
import { readSecretData } from './object-data.ts';
import { openSettings, type Settings } from './open-settings.ts';

const hash = '$2a$10$p2D1mQ04igBRj/Z5DUgg7eVjQk.Fd2pranHNeoDhtrtNTF3cJlvgG';

let home: EmbeddedHome;
let opened: Settings[] = [];
let nowSeconds = 1_000;
const clock = { nowMs: () => nowSeconds * 1000 };

beforeEach(async () => {
  nowSeconds = 1_000;
  home = await openEmbeddedHome();
  await home.embedded.create(configMapType, configMap('argocd-cm', {}));
  await home.embedded.create(
    secretType,
    secret('argocd-secret', { 'server.secretkey': 'k'.repeat(44), 'admin.password': hash, 'admin.passwordMtime': '1970-01-01T00:10:00Z' }),
  );
});

afterEach(async () => {
  for (const settings of opened) await settings.close();
  opened = [];
  await home.close();
});

async function open(): Promise<Settings> {
  const settings = await openSettings({ api: home.api, namespace: 'argocd', clock, log: home.log });
  opened.push(settings);
  return settings;
}

const stored = async () => readSecretData(await home.embedded.get(secretType, { namespace: 'argocd', name: 'fairway-revoked-tokens' }));

describe('revoked tokens', () => {
  it('count at once here, soon in other replicas, and after a restart', async () => {
    const [one, other] = [await open(), await open()];
    const done = one.revokedTokens.add('session', 2_000);
    expect(one.revokedTokens.has('session')).toBe(true);
    await done;
    await waitUntil(() => other.revokedTokens.has('session'));
    expect((await open()).revokedTokens.has('session')).toBe(true);
    expect(one.revokedTokens.has('another')).toBe(false);
    expect([...(await stored()).keys()].join()).not.toContain('session');
  });

  it('are written together when many come at once, and none is lost between replicas', async () => {
    const replicas = [await open(), await open()];
    await Promise.all(Array.from({ length: 40 }, (_, index) => replicas[index % 2]!.revokedTokens.add(`t${index}`, 2_000 + index)));
    expect((await stored()).size).toBe(40);
    expect(home.writes.length).toBeLessThan(15);
    for (const { revokedTokens } of replicas)
      await waitUntil(() => Array.from({ length: 40 }, (_, index) => revokedTokens.has(`t${index}`)).every(Boolean));
  });

  it('are forgotten when they would have expired', async () => {
    const { revokedTokens } = await open();
    await revokedTokens.add('early', 1_100);
    nowSeconds = 1_200;
    await revokedTokens.add('late', 2_000);
    expect((await stored()).size).toBe(1);
    expect([revokedTokens.has('early'), revokedTokens.has('late')]).toEqual([false, true]);
  });

  it('stay so when somebody deletes where they are stored, and are stored again with the next', async () => {
    const settings = await open();
    await settings.revokedTokens.add('session', 2_000);
    const object = await home.embedded.get(secretType, { namespace: 'argocd', name: 'fairway-revoked-tokens' });
    await home.embedded.delete(secretType, { namespace: 'argocd', name: 'fairway-revoked-tokens' });
    settings.noticeDelete(object);
    expect(settings.revokedTokens.has('session')).toBe(true);
    await settings.revokedTokens.add('next', 2_000);
    expect((await stored()).size).toBe(2);
    expect(['session', 'next'].every((id) => settings.revokedTokens.has(id))).toBe(true);
  });

  it('that cannot be stored are reported, and count here nevertheless', async () => {
    const { revokedTokens } = await open();
    home.disturb = (call) => {
      if (call.includes('fairway-revoked-tokens')) throw statusError('InternalError', 'no room');
    };
    await expect(revokedTokens.add('session', 2_000)).rejects.toThrow('no room');
    expect(revokedTokens.has('session')).toBe(true);
    home.disturb = () => undefined;
    await revokedTokens.add('next', 2_000);
    expect((await stored()).size).toBe(2);
  });

  it('are bounded, and none is forgotten to make room', async () => {
    const full = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [index.toString(16).padStart(32, '0'), '2000']));
    await home.embedded.create(secretType, secret('fairway-revoked-tokens', full));
    const { revokedTokens } = await open();
    await expect(revokedTokens.add('one more', 2_000)).rejects.toMatchObject({ code: 8 });
    expect((await stored()).size).toBe(10_000);
    nowSeconds = 2_001;
    await revokedTokens.add('later', 3_000);
    expect((await stored()).size).toBe(1);
  });
});

describe('the account store', () => {
  it('follows the settings', async () => {
    const settings = await open();
    const accounts = createAccountStore(settings);
    expect(accounts.find('nobody')).toBeUndefined();
    expect(accounts.find('admin')).toMatchObject({ enabled: true, capabilities: ['login'], passwordHash: hash, passwordChangedAt: 600 });
    expect(accounts.find('admin')).toBe(accounts.find('admin'));
    expect(Buffer.from(accounts.signingKey).toString()).toBe('k'.repeat(44));
    await accounts.revoke('session', 2_000);
    expect([accounts.isRevoked('session'), accounts.isRevoked('other')]).toEqual([true, false]);
    await settings.updateAccount('admin', (account) => ({ ...account, passwordMtime: 900 }));
    expect(accounts.find('admin')?.passwordChangedAt).toBe(900);
    await settings.updateAccount('admin', (account) => ({ ...account, enabled: false }));
    expect(accounts.find('admin')?.enabled).toBe(false);
    const token = { id: 'ci', issuedAt: 1, expiresAt: undefined };
    await settings.updateAccount('admin', (account) => ({ ...account, tokens: [token] }));
    expect([accounts.find('admin')?.hasToken('ci'), accounts.find('admin')?.hasToken('other')]).toEqual([true, false]);
  });
});
