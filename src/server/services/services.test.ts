import { describe, expect, it } from 'vitest';
import { anonymousCaller, type Caller, type Sessions } from '../../access/index.ts';
import { methods } from '../../contract/index.ts';
import type { Snapshot } from '../../settings/index.ts';
import type { Call } from '../call.ts';
import { renewSessions, renewUserInfo } from './renew-sessions.ts';
import { createSessionService } from './session.ts';
import { createSettingsService } from './settings.ts';
import { createVersionService } from './version.ts';

const admin: Caller = { username: 'admin', issuer: 'argocd', groups: [], capability: 'login', tokenId: 'id', issuedAt: 0, expiresAt: 100 };

function createCall(path: string, options: { caller?: Caller | undefined; secure?: boolean } = { caller: admin }) {
  const headers: [string, string][] = [];
  const cookies: string[] = [];
  const method = methods.find((known) => known.path === path);
  if (method === undefined) throw new Error(`there is no ${path}`);
  const call: Call = {
    method,
    caller: options.caller,
    token: undefined,
    transport: 'rest',
    signal: new AbortController().signal,
    secure: options.secure ?? false,
    remoteAddress: '127.0.0.1',
    setHeader: (name, value) => void headers.push([name, value]),
    setCookie: (cookie) => void cookies.push(cookie),
  };
  return { call, headers, cookies };
}

const nobody = { caller: undefined };
const general = {
  passwordPattern: '^.{8,32}$',
  url: '',
  instanceLabelKey: 'app.kubernetes.io/instance',
  trackingMethod: 'annotation',
  compareOptions: { ignoreResourceStatusField: 'all' },
  installationId: '',
  additionalUrls: [],
  impersonationEnabled: false,
  kustomizeBuildOptions: '',
  kustomizePaths: new Map(),
  kustomizeVersions: new Map(),
};
const parameters = { hydratorEnabled: true, syncReplaceAllowed: true };
const accounts = new Map([['admin', { enabled: true, capabilities: ['login'] }]]);
const settings = {
  current: { general, parameters, accounts, oidc: undefined, dex: undefined, resourceOverrides: new Map() } as unknown as Snapshot,
};

describe('the version service', () => {
  const service = createVersionService('0.1.0');
  const path = '/version.VersionService/Version';

  it('INFO-02: tells a stranger the version and nothing else', async () => {
    expect(await service.Version({}, createCall(path, nobody).call)).toEqual({ Version: 'v3.5.6+fairway.0.1.0' });
  });

  it('tells more to who is signed in', async () => {
    expect(await service.Version({}, createCall(path).call)).toEqual({
      Version: 'v3.5.6+fairway.0.1.0',
      Platform: expect.stringMatching(/^\w+\/\w+$/) as string,
      ExtraBuildInfo: `fairway 0.1.0, node ${process.version}`,
    });
  });
});

const rest = { namespace: 'argocd', applicationNamespaces: () => [], sources: { plugins: async () => ['cue', 'tanka-v1'] } };

describe('the settings service', () => {
  const path = '/cluster.SettingsService/Get';

  it('names the plugins that there are', async () => {
    const { call } = createCall('/cluster.SettingsService/GetPlugins');
    expect(await createSettingsService({ settings, ...rest }).GetPlugins({}, call)).toEqual({
      plugins: [{ name: 'cue' }, { name: 'tanka-v1' }],
    });
  });

  it('INFO-01: keeps from a stranger what only helps an attack', async () => {
    const shown = await createSettingsService({ settings, ...rest }).Get({}, createCall(path, nobody).call);
    expect(shown).toMatchObject({
      appLabelKey: 'app.kubernetes.io/instance',
      trackingMethod: 'annotation',
      syncWithReplaceAllowed: true,
    });
    for (const name of ['passwordPattern', 'resourceOverrides', 'controllerNamespace', 'hydratorEnabled', 'uiBannerContent'])
      expect(shown).not.toHaveProperty(name);
  });

  it('tells everyone what is in force, and no path of this machine', async () => {
    const configured = {
      ...general,
      installationId: 'blue',
      additionalUrls: ['https://two.example.com'],
      impersonationEnabled: true,
      kustomizeBuildOptions: '--enable-helm',
      kustomizePaths: new Map([['v5', '/opt/kustomize-5']]),
      kustomizeVersions: new Map([
        ['v5', '/opt/old'],
        ['v4', '/opt/kustomize-4'],
      ]),
    };
    const account = { enabled: true, capabilities: ['apiKey'] };
    const current = {
      ...settings.current,
      general: configured,
      parameters: { ...parameters, syncReplaceAllowed: false },
      accounts: new Map([
        ['robot', account],
        ['admin', { enabled: false, capabilities: ['login'] }],
      ]),
    } as unknown as Snapshot;
    const options = { settings: { current }, ...rest, applicationNamespaces: () => ['team-*'] };
    const shown = await createSettingsService(options).Get({}, createCall(path, nobody).call);
    expect(shown).toMatchObject({
      installationID: 'blue',
      additionalUrls: ['https://two.example.com'],
      kustomizeOptions: { BuildOptions: '--enable-helm', BinaryPath: '', Versions: [] },
      kustomizeVersions: ['v4', 'v5'],
      userLoginsDisabled: true,
      impersonationEnabled: true,
      appsInAnyNamespaceEnabled: true,
    });
    expect(shown).not.toHaveProperty('syncWithReplaceAllowed');
    expect(JSON.stringify(shown)).not.toContain('/opt');
    const usual = await createSettingsService({ settings, ...rest }).Get({}, createCall(path, nobody).call);
    for (const name of ['userLoginsDisabled', 'impersonationEnabled', 'appsInAnyNamespaceEnabled', 'installationID', 'kustomizeVersions'])
      expect(usual).not.toHaveProperty(name);
  });

  it('tells who is signed in what the client needs to compare and to check', async () => {
    expect(await createSettingsService({ settings, ...rest }).Get({}, createCall(path).call)).toMatchObject({
      passwordPattern: '^.{8,32}$',
      controllerNamespace: 'argocd',
      hydratorEnabled: true,
      resourceOverrides: { '*/*': { ignoreDifferences: { jsonPointers: ['/status'] } } },
    });
  });

  it('tells them how kinds are judged and compared', async () => {
    const rules = { jsonPointers: ['/spec/x'], jqPathExpressions: ['.y'], managedFieldsManagers: [] };
    const actions = { 'discovery.lua': 'return {}', definitions: [], mergeBuiltinActions: false };
    const override = { healthLua: 'return {}', useOpenLibs: true, actions, ignoreDifferences: rules, ignoreResourceUpdates: undefined };
    const snapshotWith = (ignored: string): Snapshot =>
      ({
        ...settings.current,
        general: { ...general, trackingMethod: 'label', compareOptions: { ignoreResourceStatusField: ignored } },
        resourceOverrides: new Map([['*/*', { ...override, knownTypeFields: [] }]]),
      }) as unknown as Snapshot;
    const read = async (current: Snapshot) => createSettingsService({ settings: { current }, ...rest }).Get({}, createCall(path).call);
    expect(await read(snapshotWith('all'))).toMatchObject({
      trackingMethod: 'label',
      resourceOverrides: {
        '*/*': {
          'health.lua': 'return {}',
          'health.lua.useOpenLibs': true,
          actions: JSON.stringify(actions),
          ignoreDifferences: { jsonPointers: ['/spec/x', '/status'], jqPathExpressions: ['.y'] },
        },
      },
    });
    expect((await read(snapshotWith('none'))).resourceOverrides?.['*/*']?.ignoreDifferences).toEqual(rules);
    expect((await read(snapshotWith('crd'))).resourceOverrides).toHaveProperty(['apiextensions.k8s.io/CustomResourceDefinition']);
  });
});

describe('the session service', () => {
  const revoked: string[] = [];
  const sessions = {
    revoke: async (caller: Caller) => void revoked.push(caller.tokenId),
    authenticate: async (token: string) => ({ ...admin, issuer: token === 'of.the.provider' ? 'https://sso.example.com' : 'argocd' }),
  } as unknown as Sessions;
  const service = createSessionService({ sessions, login: async (username) => `token.of.${username}` });
  const create = '/session.SessionService/Create';

  it('answers with the token and sets it as a cookie', async () => {
    const { call, cookies } = createCall(create, nobody);
    expect(await service.Create({ username: 'admin', password: 'x' }, call)).toEqual({ token: 'token.of.admin' });
    expect(cookies).toEqual(['argocd.token=token.of.admin; path=/; SameSite=lax; httpOnly']);
  });

  it('WEB-08: marks the cookie as secure over TLS', async () => {
    const { call, cookies } = createCall(create, { ...nobody, secure: true });
    await service.Create({ username: 'admin', password: 'x' }, call);
    expect(cookies).toEqual(['argocd.token=token.of.admin; path=/; SameSite=lax; httpOnly; Secure']);
  });

  it.each([{}, { username: 'admin' }, { password: 'x' }, { username: '', password: '' }])('refuses %j', async (request) => {
    await expect(service.Create(request, createCall(create, nobody).call)).rejects.toMatchObject({
      code: 16,
      message: 'no credentials supplied',
    });
  });

  it('takes a token of the SSO provider, and none of our own', async () => {
    const { call, cookies } = createCall(create, nobody);
    expect(await service.Create({ token: 'of.the.provider' }, call)).toEqual({ token: 'of.the.provider' });
    expect(cookies).toEqual(['argocd.token=of.the.provider; path=/; SameSite=lax; httpOnly']);
    await expect(service.Create({ token: 'of.our.own' }, call)).rejects.toMatchObject({ code: 16 });
  });

  it('revokes the session on delete, and does not mind when there is none', async () => {
    expect(await service.Delete({}, createCall('/session.SessionService/Delete').call)).toEqual({});
    expect(await service.Delete({}, createCall('/session.SessionService/Delete', nobody).call)).toEqual({});
    expect(revoked).toEqual(['id']);
  });

  it('tells who is signed in, if anyone', async () => {
    const path = '/session.SessionService/GetUserInfo';
    expect(await service.GetUserInfo({}, createCall(path).call)).toEqual({ loggedIn: true, username: 'admin', iss: 'argocd', groups: [] });
    expect(await service.GetUserInfo({}, createCall(path, nobody).call)).toEqual({});
    expect(await service.GetUserInfo({}, createCall(path, { caller: anonymousCaller }).call)).toEqual({});
  });
});

describe('a session that is about to end', () => {
  const sessions = { isRenewalDue: ({ expiresAt = 0 }: Caller) => expiresAt < 50, renew: async () => 'new.to.ken' } as unknown as Sessions;
  const service = renewSessions(createSettingsService({ settings, ...rest }), sessions);

  it('is renewed with the answer, as a header and a cookie', async () => {
    const { call, headers, cookies } = createCall('/cluster.SettingsService/Get', {
      caller: { ...admin, expiresAt: 49 },
      secure: true,
    });
    expect(await service.Get({}, call)).toMatchObject({ trackingMethod: 'annotation' });
    expect(headers).toEqual([['renew-token', 'new.to.ken']]);
    expect(cookies).toEqual(['argocd.token=new.to.ken; path=/; SameSite=lax; httpOnly; Secure']);
  });

  it('is renewed by asking who it is, and not by signing out', async () => {
    const login = async (): Promise<string> => 'a.to.ken';
    const revoked: string[] = [];
    const all = { ...sessions, revoke: async ({ tokenId }: Caller) => void revoked.push(tokenId) } as unknown as Sessions;
    const asked = renewUserInfo(createSessionService({ login, sessions: all }), all);
    const soon = { caller: { ...admin, expiresAt: 49 } };
    const [user, out] = [createCall('/session.SessionService/GetUserInfo', soon), createCall('/session.SessionService/Delete', soon)];
    await asked.GetUserInfo({}, user.call);
    await asked.Delete({}, out.call);
    expect([user.headers, out.headers]).toEqual([[['renew-token', 'new.to.ken']], []]);
    expect(revoked).toEqual([admin.tokenId]);
  });

  it('is left alone before', async () => {
    const { call, headers, cookies } = createCall('/cluster.SettingsService/Get');
    await service.Get({}, call);
    expect([headers, cookies]).toEqual([[], []]);
  });
});
