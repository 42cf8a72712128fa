import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMap, openEmbeddedHome, secret, type EmbeddedHome } from '../../../test/support/embedded-home.ts';
import type { Clock } from '../../base/index.ts';
import { statusError, type KubeObject } from '../../objects/index.ts';
import { configMapType, projectType, secretType } from '../home-objects.ts';
import { readConfigMapData, readSecretData } from '../object-data.ts';
import { openSettings } from '../open-settings.ts';
import { generatePassword } from './generate-password.ts';
import { readInitialPassword } from './read-initial-password.ts';
import { renewCertificate } from './prepare-certificate.ts';
import { prepareHome, type PrepareHomeOptions } from './prepare-home.ts';

const clock: Clock = { nowMs: () => Date.UTC(2024, 0, 2, 3, 4, 5) };
/** Shaped like bcrypt, and telling what was hashed. */
const hashPassword = (password: string) => Promise.resolve(`$2a$10$${Buffer.from(password).toString('hex').padEnd(53, '.').slice(0, 53)}`);

const neverNeeded = {
  make: () => {
    throw new Error('not needed');
  },
  isRenewalDue: () => false,
};

let home: EmbeddedHome;

beforeEach(async () => {
  home = await openEmbeddedHome();
});

afterEach(() => home.close());

const prepare = (options: Partial<PrepareHomeOptions> = {}) =>
  prepareHome({ api: home.api, namespace: 'argocd', clock, log: home.log, hashPassword, ...options });

const readSecret = async (name: string) => readSecretData(await home.embedded.get(secretType, { namespace: 'argocd', name }));

describe('a first start', () => {
  it('makes everything, and a second one nothing', async () => {
    const { generatedPassword, written } = await prepare();
    expect(generatedPassword).toMatch(/^[A-Za-z2-9-]{16}$/);
    expect(written).toEqual([
      'ConfigMap argocd-cm',
      'ConfigMap argocd-rbac-cm',
      'ConfigMap argocd-cmd-params-cm',
      'ConfigMap argocd-ssh-known-hosts-cm',
      'ConfigMap argocd-tls-certs-cm',
      'ConfigMap argocd-gpg-keys-cm',
      'Secret argocd-initial-admin-secret',
      'Secret argocd-secret',
      'AppProject default',
    ]);
    const main = await readSecret('argocd-secret');
    expect([...main.keys()].sort()).toEqual(['admin.password', 'admin.passwordMtime', 'server.secretkey']);
    expect(Buffer.from(main.get('server.secretkey') ?? '', 'base64')).toHaveLength(32);
    expect(main.get('admin.passwordMtime')).toBe('2024-01-02T03:04:05Z');
    expect(main.get('admin.password')).toBe(await hashPassword(generatedPassword ?? ''));
    expect((await readSecret('argocd-initial-admin-secret')).get('password')).toBe(generatedPassword);
    const general = await home.embedded.get(configMapType, { namespace: 'argocd', name: 'argocd-cm' });
    expect(general.metadata.labels).toMatchObject({ 'app.kubernetes.io/part-of': 'argocd' });
    const project = await home.embedded.get(projectType, { namespace: 'argocd', name: 'default' });
    expect(project['spec']).toEqual({
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    });
    home.writes.length = 0;
    expect(await prepare()).toEqual({ generatedPassword: undefined, written: [] });
    expect(home.writes).toEqual([]);
    expect(home.logged.join('')).not.toContain(generatedPassword);
  });

  it('leads to settings without a warning', async () => {
    await prepare();
    const settings = await openSettings({ api: home.api, namespace: 'argocd', clock, log: home.log });
    expect(settings.warnings).toEqual([]);
    expect(settings.current.general.resourceExclusions).toContainEqual({
      apiGroups: ['coordination.k8s.io'],
      kinds: ['Lease'],
      clusters: [],
    });
    expect(settings.current.accounts.get('admin')).toMatchObject({ enabled: true, passwordMtime: clock.nowMs() / 1000 });
    await settings.close();
  });

  it('uses the password that is given, and keeps it nowhere in plain', async () => {
    const { generatedPassword, written } = await prepare({ firstPassword: 'given by hand' });
    expect(generatedPassword).toBeUndefined();
    expect(written).not.toContain('Secret argocd-initial-admin-secret');
    expect((await readSecret('argocd-secret')).get('admin.password')).toBe(await hashPassword('given by hand'));
  });

  it('takes over the account of an earlier installation, once', async () => {
    const formerAdmin = {
      passwordHash: await hashPassword('former'),
      passwordChangedAt: 1_600_000_000,
      signingKey: Uint8Array.from({ length: 32 }, (_, index) => 255 - index),
      initialPassword: 'former',
    };
    expect((await prepare({ formerAdmin })).generatedPassword).toBeUndefined();
    const settings = await openSettings({ api: home.api, namespace: 'argocd', clock, log: home.log });
    expect(settings.current.secret.signingKey?.reveal()).toEqual(formerAdmin.signingKey);
    expect(settings.current.accounts.get('admin')).toMatchObject({ passwordMtime: 1_600_000_000 });
    expect(settings.current.accounts.get('admin')?.passwordHash?.reveal()).toBe(formerAdmin.passwordHash);
    await settings.close();
    expect(await readInitialPassword(home.api, 'argocd')).toBe('former');
    expect(await prepare({ formerAdmin: { ...formerAdmin, passwordHash: 'another' } })).toMatchObject({ written: [] });
  });

  it('keeps a password that it made up where it can be read again', async () => {
    expect(await readInitialPassword(home.api, 'argocd')).toBeUndefined();
    const { generatedPassword } = await prepare();
    expect(await readInitialPassword(home.api, 'argocd')).toBe(generatedPassword);
  });

  it('makes a certificate only where it is asked to and there is none', async () => {
    const certificate = { make: () => ({ certificate: 'CERT', key: 'KEY' }), isRenewalDue: () => false };
    await prepare();
    expect((await readSecret('argocd-secret')).has('tls.crt')).toBe(false);
    await home.embedded.create(secretType, secret('argocd-server-tls', { 'tls.crt': 'x', 'tls.key': 'y' }));
    expect((await prepare({ certificate })).written).toEqual([]);
    await home.embedded.delete(secretType, { namespace: 'argocd', name: 'argocd-server-tls' });
    expect((await prepare({ certificate })).written).toEqual(['Secret argocd-secret']);
    const main = await readSecret('argocd-secret');
    expect([main.get('tls.crt'), main.get('tls.key'), main.size]).toEqual(['CERT', 'KEY', 5]);
    expect((await prepare({ certificate })).written).toEqual([]);
  });

  it('replaces its certificate when that is due, and so does a server that goes on', async () => {
    let version = 1;
    const certificate = {
      make: () => ({ certificate: `CERT ${version}`, key: `KEY ${version}` }),
      isRenewalDue: (text: string) => text !== `CERT ${version}`,
    };
    const stored = async () => (await readSecret('argocd-secret')).get('tls.crt');
    await prepare({ certificate });
    version = 2;
    await prepare({ certificate });
    expect(await stored()).toBe('CERT 2');
    version = 3;
    await Promise.all(Array.from({ length: 4 }, () => renewCertificate(home.api, 'argocd', certificate)));
    expect(await stored()).toBe('CERT 3');
    expect(home.writes.filter((call) => call === 'update Secret argocd-secret').length).toBeLessThanOrEqual(5);
    home.writes.length = 0;
    await renewCertificate(home.api, 'argocd', certificate);
    expect(home.writes).toEqual([]);
  });

  it('makes the namespace where it is missing', async () => {
    await prepare({ namespace: 'elsewhere' });
    expect((await home.embedded.get(projectType, { namespace: 'elsewhere', name: 'default' })).metadata.name).toBe('default');
  });

  it('says so where the API does not know projects', async () => {
    home.embedded.kinds.unregister(projectType);
    await expect(prepare()).rejects.toThrow('the API does not serve appprojects.argoproj.io');
  });

  it('gives no password to an account that is switched off', async () => {
    await home.embedded.create(configMapType, configMap('argocd-cm', { 'admin.enabled': 'false' }));
    expect((await prepare()).generatedPassword).toBeUndefined();
    expect([...(await readSecret('argocd-secret')).keys()]).toEqual(['server.secretkey']);
  });

  it('that broke off half way is completed by the next, with the same password', async () => {
    home.disturb = (call) => {
      if (call === 'create Secret argocd-secret') throw statusError('InternalError', 'broken');
    };
    await expect(prepare()).rejects.toThrow('broken');
    const promised = (await readSecret('argocd-initial-admin-secret')).get('password');
    home.disturb = () => undefined;
    expect((await prepare()).generatedPassword).toBe(promised);
    expect((await readSecret('argocd-secret')).get('admin.password')).toBe(await hashPassword(promised ?? ''));
  });

  it('of many replicas at once ends with one key and one password, told by one', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => prepare()));
    const told = results.flatMap(({ generatedPassword }) => (generatedPassword === undefined ? [] : [generatedPassword]));
    expect(told).toHaveLength(1);
    expect((await readSecret('argocd-initial-admin-secret')).get('password')).toBe(told[0]);
    expect((await readSecret('argocd-secret')).get('admin.password')).toBe(await hashPassword(told[0] ?? ''));
    const made = results.flatMap(({ written }) => written);
    expect(new Set(made).size).toBe(made.length);
  });
});

describe('an existing installation', () => {
  const hash = '$2a$10$p2D1mQ04igBRj/Z5DUgg7eVjQk.Fd2pranHNeoDhtrtNTF3cJlvgG';
  const partOf = { 'app.kubernetes.io/part-of': 'argocd' };
  const objects: readonly KubeObject[] = [
    configMap('argocd-cm', {
      url: 'https://cd.example.com',
      'admin.enabled': 'true',
      'accounts.ci': 'apiKey',
      'oidc.config': 'name: SSO\nissuer: https://sso.example.com\nclientID: cd\nclientSecret: $oidc.clientSecret\n',
      'resource.customizations.health.argoproj.io_Application': 'hs = {}\nreturn hs\n',
      'timeout.reconciliation': '180s',
      'a.key.of.another.version': 'x',
    }),
    configMap('argocd-rbac-cm', { 'policy.csv': 'g, ops, role:admin\n', 'policy.default': 'role:readonly', scopes: '[groups, email]' }),
    configMap('argocd-cmd-params-cm', {
      'server.insecure': 'true',
      'redis.server': 'argocd-redis:6379',
      'controller.status.processors': '50',
    }),
    configMap('argocd-ssh-known-hosts-cm', { ssh_known_hosts: 'git.example.com ssh-ed25519 AAAA\n' }),
    configMap('argocd-tls-certs-cm', {}),
    configMap('argocd-gpg-keys-cm', {}),
    secret(
      'argocd-secret',
      {
        'admin.password': hash,
        'admin.passwordMtime': '2023-05-06T07:08:09Z',
        'server.secretkey': 'c2VjcmV0LXNpZ25pbmcta2V5LW9mLTMyLWJ5dGVzIQ==',
        'oidc.clientSecret': 'cl13nt',
        'accounts.ci.tokens': '[{"id":"build","iat":1700000000,"exp":1800000000}]',
        'tls.crt': 'CERT',
        'tls.key': 'KEY',
      },
      partOf,
    ),
    secret('cluster-1', { name: 'prod', server: 'https://prod', config: '{}' }, { 'argocd.argoproj.io/secret-type': 'cluster' }),
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'default', namespace: 'argocd' },
      spec: { sourceRepos: ['https://git.example.com/*'], destinations: [] },
    },
  ];
  const typeOf = ({ kind }: KubeObject) => (kind === 'Secret' ? secretType : kind === 'ConfigMap' ? configMapType : projectType);

  it('is read as it is, and nothing of it is written', async () => {
    for (const object of objects) await home.embedded.create(typeOf(object), object);
    const versions = async () =>
      Promise.all(
        objects.map(
          async (object) =>
            (await home.embedded.get(typeOf(object), { namespace: 'argocd', name: object.metadata.name ?? '' })).metadata.resourceVersion,
        ),
      );
    const before = await versions();
    const prepared = await prepare({ firstPassword: 'not used', certificate: neverNeeded });
    const settings = await openSettings({ api: home.api, namespace: 'argocd', clock, log: home.log });
    const { current } = settings;
    expect(prepared).toEqual({ generatedPassword: undefined, written: [] });
    expect(current.accounts.get('admin')?.passwordHash?.reveal()).toBe(hash);
    expect(current.accounts.get('ci')?.tokens).toEqual([{ id: 'build', issuedAt: 1_700_000_000, expiresAt: 1_800_000_000 }]);
    expect(Buffer.from(current.secret.signingKey?.reveal() ?? []).toString()).toBe('c2VjcmV0LXNpZ25pbmcta2V5LW9mLTMyLWJ5dGVzIQ==');
    expect(current.oidc?.clientSecret.reveal()).toBe('cl13nt');
    expect(current.rbac).toMatchObject({ defaultRole: 'role:readonly', scopes: ['groups', 'email'] });
    expect(current.parameters).toMatchObject({ insecure: true, statusProcessors: 50 });
    expect(current.certificate?.certificate).toBe('CERT');
    expect(current.labelledSecrets.get('cluster-1')?.data.get('server')?.reveal()).toBe('https://prod');
    expect(settings.warnings).toEqual([{ object: 'argocd-cm', key: 'a.key.of.another.version', reason: 'not a key that we know' }]);
    await settings.close();
    expect(home.writes).toEqual([]);
    expect(await versions()).toEqual(before);
    expect(readConfigMapData(await home.embedded.get(configMapType, { namespace: 'argocd', name: 'argocd-cm' })).size).toBe(7);
  });
});

describe('a random password', () => {
  it('throws away the bytes that would make some characters likelier than others', () => {
    const draws = [new Uint8Array(16).fill(255), new Uint8Array(16).fill(232), Uint8Array.from({ length: 16 }, (_, index) => index + 216)];
    const password = generatePassword({ number: () => 0, bytes: () => draws.shift() ?? new Uint8Array(16) });
    expect(password).toBe('tuvwxyz23456789-');
  });
});
