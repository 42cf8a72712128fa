import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { configMap, openEmbeddedHome, secret, type EmbeddedHome } from '../../../test/support/embedded-home.ts';
import { createPasswordCheck, createPolicy, createSessions, hashPassword, type Caller } from '../../access/index.ts';
import { methods } from '../../contract/index.ts';
import { createAccountStore, openSettings, type Settings } from '../../settings/index.ts';
import type { Call } from '../call.ts';
import { createAccountService } from './account.ts';

const configMaps = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const secrets = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const password = 'correct horse';
const nowMs = Date.UTC(2026, 0, 1, 12);
let passwordHash: string;
let home: EmbeddedHome | undefined;
let settings: Settings | undefined;

beforeAll(async () => {
  passwordHash = await hashPassword(password);
});

afterEach(async () => {
  await settings?.close();
  await home?.close();
});

async function setUp(policyLines = '') {
  home = await openEmbeddedHome();
  const { api, log } = home;
  const accounts = {
    'accounts.alice': 'login, apiKey',
    'accounts.bob': 'login',
    'accounts.off': 'apiKey',
    'accounts.off.enabled': 'false',
  };
  await api.create(configMaps, configMap('argocd-cm', accounts));
  await api.create(configMaps, configMap('argocd-rbac-cm', { 'policy.csv': policyLines }));
  const passwords = { 'admin.password': passwordHash, 'accounts.alice.password': passwordHash, 'accounts.bob.password': passwordHash };
  await api.create(secrets, secret('argocd-secret', { 'server.secretkey': 'k'.repeat(44), ...passwords }));
  const clock = { nowMs: () => nowMs };
  const opened = (settings = await openSettings({ api, namespace: 'argocd', clock, log }));
  const store = createAccountStore(opened);
  const sessions = createSessions({ accounts: store, clock });
  const policy = createPolicy({
    settings: () => ({ ...opened.current, defaultRole: opened.current.rbac.defaultRole, matchMode: opened.current.rbac.matchMode }),
    findProject: () => undefined,
  });
  const checkPassword = createPasswordCheck({ accounts: store, clock });
  const service = createAccountService({ policy, settings: opened, sessions, checkPassword, namespace: 'argocd', clock });
  return { service, sessions, settings: opened };
}

const callOf = (username: string, more: Partial<Caller> = {}): Call => {
  const method = methods.find(({ path }) => path === '/account.AccountService/CanI');
  if (method === undefined) throw new Error('there is no CanI');
  return {
    method,
    caller: {
      username,
      issuer: 'argocd',
      groups: [],
      capability: 'login',
      tokenId: 'id',
      issuedAt: nowMs / 1000,
      expiresAt: undefined,
      ...more,
    },
    token: undefined,
    transport: 'rest',
    signal: new AbortController().signal,
    secure: false,
    remoteAddress: '127.0.0.1',
    setHeader: () => undefined,
    setCookie: () => undefined,
  };
};
const [admin, alice, bob] = [callOf('admin'), callOf('alice'), callOf('bob')];
const denied = (action: string, name: string, who: string) => ({
  code: 7,
  message: `permission denied: accounts, ${action}, ${name}, sub: ${who}, iat: 2026-01-01T12:00:00Z`,
});

describe('accounts', () => {
  it('are listed by name, to each who may see them', async () => {
    const { service } = await setUp();
    expect(await service.ListAccounts({}, admin)).toEqual({
      items: [
        { name: 'admin', enabled: true, capabilities: ['login'], tokens: [] },
        { name: 'alice', enabled: true, capabilities: ['login', 'apiKey'], tokens: [] },
        { name: 'bob', enabled: true, capabilities: ['login'], tokens: [] },
        { name: 'off', enabled: false, capabilities: ['apiKey'], tokens: [] },
      ],
    });
    expect(await service.ListAccounts({}, bob)).toMatchObject({ items: [{ name: 'bob' }] });
  });

  it('are shown to themselves and to who may get them; whoever may not cannot tell whether one exists', async () => {
    const { service } = await setUp();
    expect(await service.GetAccount({ name: 'bob' }, bob)).toMatchObject({ name: 'bob' });
    expect(await service.GetAccount({ name: 'alice' }, admin)).toMatchObject({ name: 'alice' });
    expect(() => service.GetAccount({ name: 'nobody' }, admin)).toThrow("account 'nobody' does not exist");
    for (const name of ['alice', 'nobody']) expect(() => service.GetAccount({ name }, bob)).toThrow(denied('get', name, 'bob').message);
  });

  it('AUTH-37: are not those of somebody of the same name at a provider', async () => {
    const { service } = await setUp();
    const stranger = callOf('alice', { issuer: 'https://sso.example.com' });
    expect(() => service.GetAccount({ name: 'alice' }, stranger)).toThrow('permission denied: accounts, get, alice');
    await expect(service.CreateToken({ name: 'alice' }, stranger)).rejects.toMatchObject({ code: 7 });
    await expect(service.UpdatePassword({ newPassword: 'another one' }, stranger)).rejects.toMatchObject({ code: 7 });
  });
});

describe('a password', () => {
  const change = { currentPassword: password, newPassword: 'battery staple' };

  it('is changed by its owner, who must know it, and ends what was before', async () => {
    const { service, settings: opened } = await setUp();
    expect(await service.UpdatePassword(change, alice)).toEqual({});
    expect(opened.current.accounts.get('alice')?.passwordMtime).toBe(nowMs / 1000);
    await expect(service.UpdatePassword(change, alice)).rejects.toMatchObject({ code: 3, message: 'current password does not match' });
    expect(await service.UpdatePassword({ currentPassword: 'battery staple', newPassword: 'third password' }, alice)).toEqual({});
  });

  it('of another needs the right to, and the own password', async () => {
    const { service } = await setUp();
    await expect(service.UpdatePassword({ ...change, name: 'alice' }, bob)).rejects.toMatchObject(denied('update', 'alice', 'bob'));
    const wrong = { ...change, currentPassword: 'x', name: 'alice' };
    await expect(service.UpdatePassword(wrong, admin)).rejects.toMatchObject({ code: 3, message: 'current password does not match' });
    expect(await service.UpdatePassword({ ...change, name: 'alice' }, admin)).toEqual({});
    await expect(service.UpdatePassword({ ...change, name: 'nobody' }, admin)).rejects.toMatchObject({ code: 5 });
  });

  it('AUTH-35: is not changed by a token of a project, nor of another by a token', async () => {
    const { service } = await setUp('p, proj:shop:ci, accounts, update, *, allow');
    const project = callOf('proj:shop:ci', { capability: 'apiKey' });
    await expect(service.UpdatePassword(change, project)).rejects.toMatchObject({
      code: 3,
      message: 'password can only be changed for local users, not user "proj:shop:ci"',
    });
    const token = callOf('bob', { capability: 'apiKey' });
    await expect(service.UpdatePassword({ ...change, name: 'admin' }, token)).rejects.toMatchObject({ code: 7 });
    await expect(service.CreateToken({ name: 'alice' }, token)).rejects.toMatchObject({ code: 7 });
    await expect(service.DeleteToken({ name: 'alice', id: 'x' }, token)).rejects.toMatchObject({ code: 7 });
  });

  it('AUTH-36: is changed for others by who signed in elsewhere just now, and by nobody who did so long ago', async () => {
    const { service } = await setUp('p, carol, accounts, update, alice, allow');
    const carol = (ageSeconds: number) => callOf('carol', { issuer: 'https://sso.example.com', issuedAt: nowMs / 1000 - ageSeconds });
    const request = { newPassword: 'battery staple', name: 'alice' };
    await expect(service.UpdatePassword(request, carol(301))).rejects.toMatchObject({
      code: 2,
      message: "SSO token is too old. Please use 'argocd relogin' to get a new token",
    });
    expect(await service.UpdatePassword(request, carol(299))).toEqual({});
  });

  it.each([
    ['short', 2, 'new password does not match the following expression: ^.{8,32}$'],
    ['x'.repeat(33), 2, 'new password does not match the following expression: ^.{8,32}$'],
    ['x'.repeat(73), 3, 'a password has at most 72 bytes'],
  ])('must be as settings ask for: %s', async (newPassword, code, message) => {
    const { service } = await setUp();
    await expect(service.UpdatePassword({ ...change, newPassword }, alice)).rejects.toMatchObject({ code, message });
  });

  it('AUTH-02: cannot be guessed with a token that somebody lost', async () => {
    const { service } = await setUp();
    for (let count = 0; count < 5; count += 1) {
      await expect(service.UpdatePassword({ ...change, currentPassword: 'guess' }, alice)).rejects.toMatchObject({ code: 3 });
    }
    await expect(service.UpdatePassword(change, alice)).rejects.toMatchObject({ code: 3, message: 'current password does not match' });
  });
});

describe('tokens of an account', () => {
  it('are made, shown newest first, used and deleted', async () => {
    const { service, sessions } = await setUp();
    const { token = '' } = await service.CreateToken({ name: 'alice', id: 'ci', expiresIn: 600 }, alice);
    expect(await sessions.authenticate(token)).toMatchObject({ username: 'alice', capability: 'apiKey', expiresAt: nowMs / 1000 + 600 });
    const forever = await service.CreateToken({ name: 'alice' }, admin);
    expect(await sessions.authenticate(forever.token)).toMatchObject({ username: 'alice', expiresAt: undefined });
    expect(await service.GetAccount({ name: 'alice' }, alice)).toMatchObject({
      tokens: [
        { id: 'ci', issuedAt: nowMs / 1000, expiresAt: nowMs / 1000 + 600 },
        { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, expiresAt: 0 },
      ],
    });
    expect(await service.DeleteToken({ name: 'alice', id: 'ci' }, alice)).toEqual({});
    await expect(sessions.authenticate(token)).rejects.toThrow('account alice does not have token with id ci');
    expect(await sessions.authenticate(forever.token)).toMatchObject({ username: 'alice' });
  });

  it('are refused in the words of the API', async () => {
    const { service } = await setUp();
    await service.CreateToken({ name: 'alice', id: 'ci' }, alice);
    await expect(service.CreateToken({ name: 'alice', id: 'ci' }, alice)).rejects.toMatchObject({
      code: 2,
      message: "account already has token with id 'ci'",
    });
    await expect(service.CreateToken({ name: 'bob' }, bob)).rejects.toMatchObject({
      code: 2,
      message: "account 'bob' does not have apiKey capability",
    });
    await expect(service.DeleteToken({ name: 'alice', id: 'x' }, admin)).rejects.toMatchObject({
      code: 5,
      message: "token with id 'x' does not exist",
    });
    await expect(service.CreateToken({ name: 'nobody' }, admin)).rejects.toMatchObject({
      code: 5,
      message: "account 'nobody' does not exist",
    });
    await expect(service.CreateToken({ name: 'alice' }, bob)).rejects.toMatchObject(denied('update', 'alice', 'bob'));
  });

  it('are all there when twenty are made at once', async () => {
    const { service, settings: opened } = await setUp();
    const ids = Array.from({ length: 20 }, (_, index) => `token-${index}`);
    await Promise.all(ids.map(async (id) => service.CreateToken({ name: 'alice', id }, alice)));
    expect(opened.current.accounts.get('alice')?.tokens.map(({ id }) => id)).toEqual(ids);
  });
});

describe('can-i', () => {
  it.each([
    ['applications', 'sync', 'default/app', 'yes'],
    ['applications', 'sync', 'default/argocd/app', 'yes'],
    ['applications', 'delete/apps/Deployment/ns/x', 'default/app', 'yes'],
    ['applications', 'sync', '', 'no'],
    ['certificates', 'create', '', 'yes'],
    ['extensions', 'invoke', 'x', 'no'],
    ['logs', 'get', 'default/app', 'yes'],
    ['exec', 'create', 'default/app', 'yes'],
  ])('answers whether the admin may: %s %s %j', async (resource, action, subresource, value) => {
    const { service } = await setUp();
    expect(service.CanI({ resource, action, subresource }, admin)).toEqual({ value });
  });

  it('RBAC-05: takes an object of the control namespace with and without its namespace for the same', async () => {
    const { service } = await setUp('p, alice, applications, get, shop/api, allow\np, bob, applications, get, shop/other/api, allow');
    const ask = (subresource: string, call: Call) => service.CanI({ resource: 'applications', action: 'get', subresource }, call);
    expect([await ask('shop/api', alice), await ask('shop/argocd/api', alice)]).toEqual([{ value: 'yes' }, { value: 'yes' }]);
    expect([await ask('shop/other/api', alice), await ask('shop/other/api', bob)]).toEqual([{ value: 'no' }, { value: 'yes' }]);
  });

  it('refuses a question without an end', async () => {
    const { service } = await setUp();
    const subresource = 'x'.repeat(5_000);
    expect(() => service.CanI({ resource: 'applications', action: 'get', subresource }, admin)).toThrow('the question is too long');
  });

  it.each([
    ['applications', 'fly', '[get create update delete sync override action invoke] does not contain fly'],
    [
      'planes',
      'get',
      '[clusters projects applications applicationsets repositories write-repositories certificates accounts gpgkeys logs exec extensions] does not contain planes',
    ],
  ])('refuses what it does not know: %s %s', async (resource, action, message) => {
    const { service } = await setUp();
    expect(() => service.CanI({ resource, action }, admin)).toThrow(message);
  });
});
