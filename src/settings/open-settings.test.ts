import { setImmediate as setImmediatePromise } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMap, openEmbeddedHome, secret, type EmbeddedHome } from '../../test/support/embedded-home.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { systemClock } from '../base/index.ts';
import { statusError } from '../objects/index.ts';
import { configMapType, secretType } from './home-objects.ts';
import { readSecretData } from './object-data.ts';
import { openSettings, type Settings, type SettingsChanged, type SettingsOptions } from './open-settings.ts';

let home: EmbeddedHome;
let opened: Settings[] = [];

beforeEach(async () => {
  home = await openEmbeddedHome();
  await home.embedded.create(configMapType, configMap('argocd-cm', { url: 'https://a', 'accounts.alice': 'login, apiKey' }));
  await home.embedded.create(secretType, secret('argocd-secret', { 'server.secretkey': 'k'.repeat(44) }));
});

afterEach(async () => {
  for (const settings of opened) await settings.close();
  opened = [];
  await home.close();
});

async function open(options: Partial<SettingsOptions> = {}): Promise<Settings> {
  const watchLimits = { backOff: { firstMs: 5, maxMs: 20 }, watchMinMs: 0 };
  const settings = await openSettings({ api: home.api, namespace: 'argocd', clock: systemClock, log: home.log, watchLimits, ...options });
  opened.push(settings);
  return settings;
}

async function setGeneral(data: Readonly<Record<string, string>>): Promise<void> {
  await home.embedded.update(configMapType, configMap('argocd-cm', data));
}

describe('live settings', () => {
  it('follow what changes, and say what', async () => {
    const settings = await open();
    const before = settings.current;
    const events: SettingsChanged[] = [];
    settings.onChange((event) => events.push(event));
    await setGeneral({ url: 'https://b', 'accounts.alice': 'login, apiKey' });
    await waitUntil(() => settings.current.general.url === 'https://b');
    expect(events).toEqual([{ previous: before, current: settings.current, changes: [{ part: 'general', name: 'url' }] }]);
    expect(settings.current.accounts).toBe(before.accounts);
    expect(settings.trouble).toEqual([]);
  });

  it('make one snapshot of a burst', async () => {
    const settings = await open({ coalesceMs: 200 });
    let events = 0;
    settings.onChange(() => (events += 1));
    for (let index = 0; index < 20; index += 1) await setGeneral({ url: `https://${index}` });
    await waitUntil(() => settings.current.general.url === 'https://19');
    expect(events).toBeLessThan(10);
  });

  it('tell nobody of what changes nothing, and warn once of what is wrong', async () => {
    const settings = await open();
    let events = 0;
    settings.onChange(() => (events += 1));
    await setGeneral({ url: 'nonsense', 'accounts.alice': 'login, apiKey', unknown: 'x' });
    await waitUntil(() => settings.warnings.length === 2);
    await setGeneral({ url: 'nonsense', 'accounts.alice': 'apiKey', unknown: 'x' });
    await waitUntil(() => settings.current.accounts.get('alice')?.capabilities.length === 1);
    expect(events).toBe(1);
    expect(settings.current.general.url).toBe('https://a');
    expect(home.logged.filter((line) => line.includes('a setting is not right'))).toHaveLength(2);
  });

  it('do not let one listener spoil it for the others, and forget who left', async () => {
    const settings = await open();
    const heard: string[] = [];
    const leave = settings.onChange(() => heard.push('left'));
    settings.onChange(() => {
      throw new Error('broken');
    });
    settings.onChange(() => heard.push('stayed'));
    leave();
    await setGeneral({ url: 'https://b' });
    await waitUntil(() => heard.length > 0);
    expect(heard).toEqual(['stayed']);
  });

  it('take a Secret in when it is labelled, and let it go with its label', async () => {
    const settings = await open();
    await home.embedded.create(secretType, secret('repo', { url: 'u' }));
    await home.embedded.update(secretType, secret('repo', { url: 'u' }, { 'argocd.argoproj.io/secret-type': 'repository' }));
    await waitUntil(() => settings.current.labelledSecrets.has('repo'));
    await home.embedded.update(secretType, secret('repo', { url: 'u' }));
    await waitUntil(() => !settings.current.labelledSecrets.has('repo'));
    await home.embedded.update(secretType, secret('repo', { url: 'u' }, { 'argocd.argoproj.io/secret-type': 'cluster' }));
    await waitUntil(() => settings.current.labelledSecrets.get('repo')?.type === 'cluster');
    await home.embedded.delete(secretType, { namespace: 'argocd', name: 'repo' });
    await waitUntil(() => settings.current.labelledSecrets.size === 0);
  });

  it('show what others of this process wrote or deleted before the watch does', async () => {
    const settings = await open({ coalesceMs: 60_000 });
    const repository = await home.embedded.create(
      secretType,
      secret('repo', { url: 'u' }, { 'argocd.argoproj.io/secret-type': 'repository' }),
    );
    settings.noticeWrite(repository);
    expect(settings.current.labelledSecrets.get('repo')?.data.get('url')?.reveal()).toBe('u');
    await home.embedded.delete(secretType, { namespace: 'argocd', name: 'repo' });
    settings.noticeDelete(repository);
    expect(settings.current.labelledSecrets.has('repo')).toBe(false);
  });

  it('show a write to whoever made it, also when the watch was quicker than the answer', async () => {
    const settings = await open({ coalesceMs: 60_000 });
    const object = await home.embedded.update(configMapType, configMap('argocd-cm', { url: 'https://b' }));
    for (let turn = 0; turn < 50; turn += 1) await setImmediatePromise();
    expect(settings.current.general.url).toBe('https://a');
    settings.noticeWrite(object);
    expect(settings.current.general.url).toBe('https://b');
  });

  it('show a deletion to whoever made it, also when the watch was quicker than the answer', async () => {
    const repository = await home.embedded.create(
      secretType,
      secret('repo', { url: 'u' }, { 'argocd.argoproj.io/secret-type': 'repository' }),
    );
    const settings = await open({ coalesceMs: 60_000 });
    await home.embedded.delete(secretType, { namespace: 'argocd', name: 'repo' });
    for (let turn = 0; turn < 50; turn += 1) await setImmediatePromise();
    expect(settings.current.labelledSecrets.has('repo')).toBe(true);
    settings.noticeDelete(repository);
    expect(settings.current.labelledSecrets.has('repo')).toBe(false);
  });

  it('keep the last snapshot while the API is away, say so, and catch up', async () => {
    const settings = await open();
    const { current } = settings;
    home.disturb = (call) => {
      if (/^(list|watch)/.test(call)) throw statusError('ServiceUnavailable', 'away');
    };
    home.embedded.endWatches(configMapType);
    await setGeneral({ url: 'https://b' });
    await waitUntil(() => settings.trouble.length > 0);
    expect(settings.trouble).toMatchObject([{ message: 'away' }]);
    expect(settings.current).toBe(current);
    home.disturb = () => undefined;
    await waitUntil(() => settings.current.general.url === 'https://b' && settings.trouble.length === 0);
  });

  it('cannot be opened where the API does not answer in time, and says why', async () => {
    home.disturb = (call) => {
      if (call.startsWith('list Secret')) throw statusError('Forbidden', 'secrets is forbidden');
    };
    await expect(open({ startTimeoutMs: 100 })).rejects.toThrow('cannot load the settings: secrets is forbidden');
  });

  it('are silent after close', async () => {
    const settings = await open();
    let events = 0;
    settings.onChange(() => (events += 1));
    await settings.close();
    const other = await open();
    await setGeneral({ url: 'https://b' });
    await waitUntil(() => other.current.general.url === 'https://b');
    expect(events).toBe(0);
  });
});

describe('closing', () => {
  it('finishes what is being written', async () => {
    const settings = await open();
    const gate = Promise.withResolvers<void>();
    home.disturb = (call) => (call.startsWith('update') || call.startsWith('create') ? gate.promise : undefined);
    const update = settings.updateAccount('alice', (account) => ({ ...account, passwordMtime: 77 }));
    const revocation = settings.revokedTokens.add('session', 4_000_000_000);
    await waitUntil(() => settings.revokedTokens.has('session'));
    let closed = false;
    const closing = settings.close().then(() => (closed = true));
    await setImmediatePromise();
    expect(closed).toBe(false);
    gate.resolve();
    await Promise.all([closing, update, revocation]);
    const stored = readSecretData(await home.embedded.get(secretType, { namespace: 'argocd', name: 'argocd-secret' }));
    expect(stored.get('accounts.alice.passwordMtime')).toBe('1970-01-01T00:01:17Z');
    expect(home.writes).toContain('create Secret fairway-revoked-tokens');
  });
});

describe('accounts', () => {
  const token = (id: string) => ({ id, issuedAt: 1, expiresAt: undefined });

  it('can be read as soon as they are written', async () => {
    const settings = await open();
    const changes: unknown[] = [];
    settings.onChange((event) => changes.push(...event.changes));
    await settings.updateAccount('alice', (account) => ({ ...account, tokens: [token('t1'), ...account.tokens] }));
    expect(settings.current.accounts.get('alice')?.tokens).toEqual([token('t1')]);
    expect(changes).toEqual([
      { part: 'secret', name: 'accountTokens' },
      { part: 'accounts', name: 'alice' },
    ]);
    expect(home.writes).toEqual(['update Secret argocd-secret']);
  });

  it('lose no token when many write at once, also from several replicas', async () => {
    const replicas = await Promise.all([open(), open(), open()]);
    const ids = Array.from({ length: 30 }, (_, index) => `t${index}`);
    const add = (id: string, index: number) =>
      replicas[index % replicas.length]!.updateAccount('alice', (account) => ({ ...account, tokens: [...account.tokens, token(id)] }));
    await Promise.all(ids.map(add));
    for (const settings of replicas) {
      await waitUntil(() => settings.current.accounts.get('alice')?.tokens.length === ids.length);
      expect(
        settings.current.accounts
          .get('alice')
          ?.tokens.map(({ id }) => id)
          .sort(),
      ).toEqual(ids.toSorted());
    }
  });

  it('keep their enabling and capabilities in argocd-cm, and nothing else is touched there', async () => {
    const settings = await open();
    await settings.updateAccount('alice', (account) => ({ ...account, enabled: false, capabilities: ['login'] }));
    const stored = await home.embedded.get(configMapType, { namespace: 'argocd', name: 'argocd-cm' });
    expect(stored['data']).toEqual({ url: 'https://a', 'accounts.alice': 'login', 'accounts.alice.enabled': 'false' });
    await settings.updateAccount('admin', (account) => ({ ...account, enabled: false, passwordMtime: 1_700_000_000 }));
    expect(settings.current.accounts.get('admin')).toMatchObject({ enabled: false, passwordMtime: 1_700_000_000 });
    await settings.updateAccount('alice', (account) => ({ ...account, enabled: true }));
    expect((await home.embedded.get(configMapType, { namespace: 'argocd', name: 'argocd-cm' }))['data']).toEqual({
      url: 'https://a',
      'accounts.alice': 'login',
      'admin.enabled': 'false',
    });
  });

  it('write nothing for a change that changes nothing, and refuse what is not there or cannot be read', async () => {
    const settings = await open();
    await settings.updateAccount('alice', (account) => account);
    await expect(settings.updateAccount('nobody', (account) => account)).rejects.toMatchObject({
      code: 5,
      message: "account 'nobody' does not exist",
    });
    await expect(
      settings.updateAccount('alice', () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(home.writes).toEqual([]);
    await home.embedded.update(secretType, secret('argocd-secret', { 'accounts.alice.tokens': '[{"id":' }));
    await expect(settings.updateAccount('alice', (account) => ({ ...account, tokens: [token('t')] }))).rejects.toMatchObject({ code: 9 });
  });
});
