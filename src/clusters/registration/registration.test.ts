import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../objects/index.ts';
import { Sealed, type LabelledSecret, type Snapshot } from '../../settings/index.ts';
import { formatRegistration, type RegistrationEntry } from './format-registration.ts';
import { listRegistrations } from './list-registrations.ts';
import { readRegistration } from './read-registration.ts';
import { clusterSecretName } from './secret-name.ts';

function secretOf(name: string, data: Readonly<Record<string, string>>, more: Partial<LabelledSecret> = {}): LabelledSecret {
  const sealed = new Map(Object.entries(data).map(([key, text]) => [key, new Sealed(text)]));
  const labels = { 'argocd.argoproj.io/secret-type': 'cluster' };
  return { name, type: 'cluster', uid: name, resourceVersion: '1', labels, annotations: {}, ...more, data: sealed };
}

function snapshotOf(secrets: readonly LabelledSecret[], inClusterEnabled = true): Snapshot {
  const labelledSecrets = new Map(secrets.map((secret) => [secret.name, secret]));
  return { general: { inClusterEnabled }, labelledSecrets } as unknown as Snapshot;
}

const server = 'https://one.example.org:6443';

describe('the Secret of a cluster', () => {
  it('says all that is registered of it', () => {
    const labels = { 'argocd.argoproj.io/secret-type': 'cluster', env: 'test' };
    const annotations = {
      'managed-by': 'argocd.argoproj.io',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'argocd.argoproj.io/refresh': '2026-01-02T03:04:05Z',
      note: 'hello',
    };
    const data = {
      server: `${server}/`,
      name: 'one',
      config: '{}',
      namespaces: ' a, ,b ',
      clusterResources: 'true',
      project: 'shop',
      shard: '3',
    };
    expect(readRegistration(secretOf('s', data, { labels, annotations }))).toMatchObject({
      server,
      name: 'one',
      secretName: 's',
      namespaces: ['a', 'b'],
      clusterResources: true,
      project: 'shop',
      shard: 3,
      labels: { env: 'test' },
      annotations: { note: 'hello' },
      refreshRequestedAt: '2026-01-02T03:04:05Z',
    });
  });

  it.each([
    ['clusterResources', 'True', { clusterResources: false }],
    ['clusterResources', 'yes', { clusterResources: false }],
    ['shard', 'three', { shard: undefined }],
    ['shard', '', { shard: undefined }],
    ['namespaces', ' , ', { namespaces: [] }],
    ['config', '', { server }],
  ])('means the default where %s is %j', (key, value, expected) => {
    expect(readRegistration(secretOf('s', { server, [key]: value }))).toMatchObject(expected);
  });

  it.each([
    ['no server', {}, 'it names no server'],
    ['a config that is no JSON', { server, config: 'hunter2' }, 'its config is not a JSON object'],
    ['a config that is a list', { server, config: '["hunter2"]' }, 'its config is not a JSON object'],
  ])('registers nothing with %s, and the reason tells no secret', (_title, data, reason) => {
    expect(readRegistration(secretOf('s', data))).toEqual({ unusable: reason });
  });

  it.each([
    ['https://kubernetes.default.svc', 'cluster-kubernetes.default.svc-3396314289'],
    ['https://ONE.example.org:6443', /^cluster-one\.example\.org-\d+$/],
    ['https://[fd00::1]:6443', /^cluster-fd00--1-\d+$/],
  ])('for %s is called by its host and a hash of the whole', (address, name) => {
    expect(clusterSecretName(address)).toMatch(name);
  });

  it('is read as it was written', () => {
    const entry: RegistrationEntry = {
      server,
      name: 'one',
      config: { bearerToken: 'secret', tlsClientConfig: { insecure: true } },
      namespaces: ['a', 'b'],
      clusterResources: true,
      project: 'shop',
      shard: 2,
      labels: { env: 'test' },
      annotations: { note: 'hello', 'argocd.argoproj.io/refresh': 'old' },
      refreshRequestedAt: undefined,
    };
    const written = formatRegistration(entry, { metadata: { name: 's', namespace: 'argocd' } });
    const { config, refreshRequestedAt: _none, ...expected } = entry;
    const read = readRegistration(readBack(written));
    expect(read).toMatchObject({ ...expected, annotations: { note: 'hello' }, refreshRequestedAt: undefined });
    expect('config' in read && JSON.parse(read.config.reveal())).toEqual(config);
    expect(written.metadata.annotations).toMatchObject({ 'managed-by': 'argocd.argoproj.io' });
  });

  it('stays a thing of those who wrote it by hand, and takes no annotation of theirs through the API', () => {
    const entry: RegistrationEntry = {
      server,
      name: '',
      config: {},
      namespaces: [],
      clusterResources: false,
      project: '',
      shard: undefined,
      labels: {},
      annotations: {},
      refreshRequestedAt: undefined,
    };
    const written = formatRegistration(entry, { metadata: { name: 's', namespace: 'argocd', resourceVersion: '1' } });
    expect(written.metadata.annotations).toEqual({});
    expect(readRegistration(readBack(written))).toMatchObject({ name: server });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
    expect(() => formatRegistration({ ...entry, annotations }, written)).toThrow(
      'annotation kubectl.kubernetes.io/last-applied-configuration cannot be set',
    );
  });
});

describe('the registered clusters', () => {
  const one = secretOf('b', { server, name: 'one' });
  const two = secretOf('a', { server: 'https://two.example.org', name: 'two' });

  it('come by the names of their Secrets, the cluster around Fairway last', () => {
    const { clusters } = listRegistrations(snapshotOf([one, two]));
    expect(clusters.map(({ name }) => name)).toEqual(['two', 'one', 'in-cluster']);
  });

  it('have the cluster around Fairway as a Secret says, or not at all', () => {
    const own = secretOf('c', { server: 'https://kubernetes.default.svc', name: 'home' });
    expect(listRegistrations(snapshotOf([own])).clusters.map(({ name }) => name)).toEqual(['home']);
    expect(listRegistrations(snapshotOf([own, one], false)).clusters.map(({ name }) => name)).toEqual(['one']);
  });

  it('lack the cluster around Fairway while its Secret cannot be used: Fairway itself may do more there than that allows', () => {
    const broken = secretOf('c', { server: 'https://kubernetes.default.svc/', name: 'home', namespaces: 'a', config: '{' });
    const { clusters, unusable } = listRegistrations(snapshotOf([broken, one]));
    expect(clusters.map(({ name }) => name)).toEqual(['one']);
    expect(unusable).toMatchObject([{ secretName: 'c', reason: 'its config is not a JSON object' }]);
    const other = secretOf('d', { server: 'https://kubernetes.default.svc', name: 'other' });
    expect(listRegistrations(snapshotOf([broken, other])).clusters.map(({ name }) => name)).toEqual(['other']);
  });

  it('leave out what registers nothing, and the second of one server', () => {
    const again = secretOf('z', { server: `${server}/`, name: 'again' });
    const { clusters, unusable } = listRegistrations(snapshotOf([again, one, secretOf('y', { server, config: '{' })]));
    expect(clusters.map(({ name }) => name)).toEqual(['one', 'in-cluster']);
    expect(unusable).toMatchObject([
      { secretName: 'y', server, name: '' },
      { secretName: 'z', server, name: 'again' },
    ]);
  });
});

function readBack({ metadata, ...object }: KubeObject): LabelledSecret {
  const data = object['data'] as Readonly<Record<string, string>>;
  const texts = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
  return secretOf(metadata.name ?? '', texts, { labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {} });
}
