import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLiveClusters, type LiveClusters } from '../../../../test/support/live-clusters.ts';
import { kinds } from '../../../../test/support/kinds.ts';
import { startStubServer, type StubServer } from '../../../../test/support/stub-server.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { systemClock, systemTimers } from '../../../base/index.ts';
import { createRegistry } from '../../../clusters/index.ts';
import type { Cluster, ClusterService } from '../../../contract/index.ts';
import { createObjectStore, type ObjectStore } from '../../../kube/index.ts';
import { applicationType } from '../../../model/index.ts';
import type { KubeObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { createClusterService } from './create-cluster-service.ts';

const IN_CLUSTER = 'https://kubernetes.default.svc';
const call = createServiceCall('/cluster.ClusterService/List');

/** Every secret that a registration can hold. */
const credentials = {
  username: 'planted-user',
  password: 'planted-password',
  tlsClientConfig: {
    insecure: false,
    serverName: 'kept.example.org',
    caData: Buffer.from('planted-authority').toString('base64'),
    certData: Buffer.from('planted-certificate').toString('base64'),
    keyData: Buffer.from('planted-key').toString('base64'),
  },
  proxyUrl: 'http://planted-proxy-user:planted-proxy-password@127.0.0.1:9',
  disableCompression: true,
};

describe('the cluster service', () => {
  let live: LiveClusters;
  let stub: StubServer;
  let applications: ObjectStore;
  let service: ClusterService<Call>;
  /** What the caller may not do. */
  let denied: (action: string, object: string) => boolean;
  let asked: string[];

  beforeEach(async () => {
    live = await openLiveClusters();
    const { home, settings, clusters } = live;
    stub = await startStubServer((request, response) => {
      const isKnown = request.headers.authorization === 'Bearer good';
      const body = isKnown
        ? { gitVersion: 'v1.30.1+vendor' }
        : { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Unauthorized', code: 401 };
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    applications = createObjectStore({ api: home.api, type: applicationType, log: home.log });
    applications.start();
    denied = () => false;
    asked = [];
    service = createClusterService({
      clusters,
      registry: createRegistry({ home: home.api, namespace: 'argocd', settings }),
      settings,
      policy: {
        isAllowed: (_caller, resource, action, object) => {
          asked.push(`${resource},${action},${object}`);
          return !denied(action, object);
        },
      },
      applications,
      clock: systemClock,
      timers: systemTimers,
    });
  });

  afterEach(async () => {
    await applications.stop();
    await live.close();
    await stub.close();
  });

  const cluster = (more: Partial<Cluster> = {}): Cluster => ({
    server: stub.url,
    name: 'one',
    config: { bearerToken: 'good', tlsClientConfig: { insecure: false } },
    ...more,
  });
  const secrets = async (): Promise<readonly KubeObject[]> =>
    (await live.home.api.list(kinds.secret, { namespace: 'argocd', labelSelector: 'argocd.argoproj.io/secret-type=cluster' })).items;
  const dataOf = (secret: KubeObject | undefined): Record<string, string> =>
    Object.fromEntries(
      Object.entries((secret?.['data'] ?? {}) as Record<string, string>).map(([key, text]) => [
        key,
        Buffer.from(text, 'base64').toString(),
      ]),
    );

  it('stores a cluster that answers, and says what it found', async () => {
    const created = await service.Create({ cluster: cluster({ namespaces: ['a', ' b '], labels: { env: 'test' } }) }, call);
    expect(created).toMatchObject({
      server: stub.url,
      name: 'one',
      namespaces: ['a', 'b'],
      serverVersion: 'v1.30.1',
      connectionState: { status: 'Successful' },
      info: { serverVersion: 'v1.30.1', applicationsCount: 0 },
    });
    const [secret] = await secrets();
    expect(secret?.metadata.annotations).toEqual({ 'managed-by': 'argocd.argoproj.io' });
    expect(dataOf(secret)).toEqual({
      server: stub.url,
      name: 'one',
      namespaces: 'a,b',
      config: '{"bearerToken":"good","tlsClientConfig":{"insecure":false}}',
    });
  });

  it('stores nothing of a cluster that does not answer', async () => {
    const config = { bearerToken: 'bad', tlsClientConfig: { insecure: false } };
    await expect(service.Create({ cluster: cluster({ config }) }, call)).rejects.toMatchObject({
      code: 3,
      message: expect.stringMatching(/^the cluster refuses these credentials/),
    });
    await expect(service.Create({ cluster: cluster({ server: '' }) }, call)).rejects.toThrow('the server of the cluster is missing');
    expect(await secrets()).toEqual([]);
    await service.Create({ cluster: cluster() }, call);
    await expect(service.Update({ cluster: cluster({ config }) }, call)).rejects.toMatchObject({ code: 3 });
    expect(dataOf((await secrets())[0])['config']).toContain('good');
  });

  it('takes the same again, and something else only when told to', async () => {
    await service.Create({ cluster: cluster() }, call);
    await service.Create({ cluster: cluster({ project: 'any' }) }, call);
    const other = cluster({ name: 'two', labels: { env: 'test' } });
    await expect(service.Create({ cluster: other }, call)).rejects.toMatchObject({
      code: 3,
      message: 'existing cluster spec is different; use upsert flag to force update; difference in keys "Name,Labels"',
    });
    expect(await service.Create({ cluster: other, upsert: true }, call)).toMatchObject({ name: 'two', labels: { env: 'test' } });
    expect(await secrets()).toHaveLength(1);
  });

  it('ENUM-05: tells nothing of a cluster of another project to who would register it for their own', async () => {
    await service.Create({ cluster: cluster({ project: 'team-b', labels: { env: 'prod' } }) }, call);
    const stored = await secrets();
    denied = (_action, object) => !object.startsWith('team-a/');
    for (const more of [{}, { labels: { env: 'prod' } }, { labels: { env: 'test' } }]) {
      for (const upsert of [false, true]) {
        const attempt = service.Create({ cluster: cluster({ project: 'team-a', ...more }), upsert }, call);
        await expect(attempt).rejects.toMatchObject({ code: 7, message: 'permission denied' });
      }
    }
    expect(await secrets()).toEqual(stored);
  });

  it('changes only the fields that are named', async () => {
    await service.Create({ cluster: cluster({ labels: { env: 'test' }, project: 'shop' }) }, call);
    const updatedFields = ['name', 'namespaces', 'unknown'];
    const change = { server: stub.url, name: 'two', namespaces: ['a'], config: { tlsClientConfig: { insecure: true } } };
    const updated = await service.Update({ cluster: change, updatedFields }, call);
    expect(updated).toMatchObject({ name: 'two', namespaces: ['a'], labels: { env: 'test' }, project: 'shop' });
    expect(dataOf((await secrets())[0])['config']).toContain('good');
    expect(asked).toContain(`clusters,update,shop/${stub.url}`);
  });

  it.each(['get', 'update'])('does not put back what somebody else replaced before it could %s', async (verb) => {
    await service.Create({ cluster: cluster() }, call);
    const name = (await secrets())[0]?.metadata.name ?? '';
    const rotated = { config: Buffer.from('{"bearerToken":"rotated"}').toString('base64') };
    let isReplaced = false;
    live.home.disturb = async (request) => {
      if (isReplaced || request !== `${verb} Secret ${name}`) return;
      isReplaced = true;
      await live.home.embedded.patch(kinds.secret, { namespace: 'argocd', name }, { type: 'merge', body: { data: rotated } });
    };
    const change = { server: stub.url, name: 'two', config: { tlsClientConfig: { insecure: false } } };
    await expect(service.Update({ cluster: change, updatedFields: ['name'] }, call)).rejects.toMatchObject({
      code: 10,
      message: `cluster "${stub.url}" was changed meanwhile, please try again`,
    });
    expect(dataOf((await secrets())[0])).toMatchObject({ name: 'one', config: '{"bearerToken":"rotated"}' });
  });

  it.each([
    ['get', 'made here'],
    ['delete', 'made here'],
    ['patch', 'by hand'],
  ])('does not remove what somebody else gave to another project before it could %s (%s)', async (verb, origin) => {
    if (origin === 'made here') await service.Create({ cluster: cluster() }, call);
    else await live.register('by-hand', { server: stub.url, name: 'one', config: '{}' });
    const name = (await secrets())[0]?.metadata.name ?? '';
    const moved = { project: Buffer.from('team-b').toString('base64') };
    let isMoved = false;
    live.home.disturb = async (request) => {
      if (isMoved || request !== `${verb} Secret ${name}`) return;
      isMoved = true;
      await live.home.embedded.patch(kinds.secret, { namespace: 'argocd', name }, { type: 'merge', body: { data: moved } });
    };
    await expect(service.Delete({ server: stub.url }, call)).rejects.toMatchObject({
      code: 10,
      message: `cluster "${stub.url}" was changed meanwhile, please try again`,
    });
    expect((await secrets()).map(dataOf)).toMatchObject([{ server: stub.url, project: 'team-b' }]);
  });

  it('replaces everything where no field is named, under the same address', async () => {
    await service.Create({ cluster: cluster({ labels: { env: 'test' } }) }, call);
    const id = { type: 'name', value: 'one' };
    const updated = await service.Update({ id, cluster: cluster({ server: '', name: 'two', annotations: { note: 'x' } }) }, call);
    expect(updated).toMatchObject({ server: stub.url, name: 'two', annotations: { note: 'x' } });
    expect(updated.labels).toBeUndefined();
  });

  it('needs permission in the project that a cluster leaves and in the one that it enters', async () => {
    await service.Create({ cluster: cluster({ project: 'old' }) }, call);
    const update = () => service.Update({ cluster: cluster({ project: 'new' }), updatedFields: ['project'] }, call);
    for (const project of ['old', 'new']) {
      denied = (action, object) => action === 'update' && object.startsWith(`${project}/`);
      await expect(update()).rejects.toMatchObject({ code: 7, message: 'permission denied' });
    }
    denied = () => false;
    expect(await update()).toMatchObject({ project: 'new' });
  });

  it('finds a cluster by server, by name and by an escaped name; what is not there is refused like what is not allowed', async () => {
    await service.Create({ cluster: cluster({ name: 'a name/with more' }) }, call);
    for (const query of [
      { server: `${stub.url}/` },
      { name: 'a name/with more' },
      { id: { value: encodeURIComponent(stub.url) } },
      { id: { type: 'name', value: 'a name/with more' } },
      { id: { type: 'name_escaped', value: 'a+name%2Fwith+more' } },
    ]) {
      expect(await service.Get(query, call)).toMatchObject({ server: stub.url });
    }
    const refusal = { code: 7, message: 'permission denied' };
    for (const query of [{ name: 'nobody' }, { server: 'https://nobody' }, {}]) {
      await expect(service.Get(query, call)).rejects.toMatchObject(refusal);
      await expect(service.Delete(query, call)).rejects.toMatchObject(refusal);
      await expect(service.InvalidateCache(query, call)).rejects.toMatchObject(refusal);
    }
    denied = () => true;
    await expect(service.Get({ server: stub.url }, call)).rejects.toMatchObject(refusal);
    await expect(service.RotateAuth({ server: stub.url }, call)).rejects.toMatchObject(refusal);
    await expect(service.Create({ cluster: cluster() }, call)).rejects.toMatchObject({
      code: 7,
      message: expect.stringContaining(`permission denied: clusters, create, ${stub.url}`) as string,
    });
  });

  it('lists what the caller may see, filtered', async () => {
    await service.Create({ cluster: cluster({ project: 'shop' }) }, call);
    const servers = async (query = {}): Promise<string[]> => (await service.List(query, call)).items.map(({ server }) => server);
    expect(await servers()).toEqual([stub.url, IN_CLUSTER]);
    expect(await servers({ name: 'in-cluster' })).toEqual([IN_CLUSTER]);
    expect(await servers({ server: stub.url, name: 'in-cluster' })).toEqual([]);
    expect(await servers({ id: { type: 'name', value: 'one' } })).toEqual([stub.url]);
    denied = (_action, object) => object === `shop/${stub.url}`;
    expect(await servers()).toEqual([IN_CLUSTER]);
  });

  it('gives no credential away, in an answer or in an error', async () => {
    await live.register('by-hand', { server: 'https://planted.example.org', name: 'planted', config: JSON.stringify(credentials) });
    const execProviderConfig = {
      command: 'planted-command',
      env: { TOKEN: 'planted-token' },
      apiVersion: 'client.authentication.k8s.io/v1',
    };
    await live.register('exec', { server: 'https://exec.example.org', name: 'exec', config: JSON.stringify({ execProviderConfig }) });
    const { items } = await service.List({}, call);
    const config = items.find(({ name }) => name === 'planted')?.config;
    expect(config).toEqual({
      tlsClientConfig: { insecure: false, serverName: 'kept.example.org' },
      disableCompression: true,
      proxyUrl: 'http://127.0.0.1:9/',
    });
    const answers: unknown[] = [items, await service.Get({ name: 'planted' }, call), await service.InvalidateCache({ name: 'exec' }, call)];
    for (const name of ['planted', 'exec']) {
      const updatedFields = ['name'];
      const nameless = { server: '', name: 'x', config: { tlsClientConfig: { insecure: false } } };
      const update = async () => service.Update({ cluster: nameless, id: { type: 'name', value: name }, updatedFields }, call);
      const error: unknown = await update().catch((reason: unknown) => reason);
      answers.push(error instanceof Error ? [error.message, error.stack] : error);
    }
    const shown = JSON.stringify(answers) + live.home.logged.join('');
    for (const secret of ['planted-user', 'planted-password', 'planted-token', 'planted-command', 'planted-proxy', 'cGxhbnRlZC']) {
      expect(shown).not.toContain(secret);
    }
  });

  it('deletes what it made, and only unlabels what came by hand; a name means all that have it', async () => {
    await service.Create({ cluster: cluster({ name: 'same' }) }, call);
    await live.register('by-hand', { server: 'https://two.example.org', name: 'same', config: '{}' });
    denied = (_action, object) => object === 'https://two.example.org';
    await expect(service.Delete({ name: 'same' }, call)).rejects.toMatchObject({ message: 'permission denied' });
    expect(await secrets()).toHaveLength(2);
    denied = () => false;
    await service.Delete({ name: 'same' }, call);
    expect(await secrets()).toEqual([]);
    const kept = await live.home.api.get(kinds.secret, { namespace: 'argocd', name: 'by-hand' });
    expect(dataOf(kept)).toMatchObject({ server: 'https://two.example.org' });
    expect(live.clusters.list().map(({ server }) => server)).toEqual([IN_CLUSTER]);
    await expect(service.Delete({ server: IN_CLUSTER }, call)).rejects.toMatchObject({ code: 5 });
  });

  it('reads a cluster anew when asked', async () => {
    const { cache } = live.clusters.resolve({ server: IN_CLUSTER });
    await cache.whenSynced();
    expect(await service.InvalidateCache({ server: IN_CLUSTER }, call)).toMatchObject({ refreshRequestedAt: expect.any(String) as string });
    expect(cache.state.name).toBe('starting');
    await service.Create({ cluster: cluster() }, call);
    const ask = () => service.InvalidateCache({ server: stub.url }, call);
    // Nobody is in the way of somebody else who wants the same.
    const [answer] = await Promise.all([ask(), ask(), ask()]);
    expect((await secrets())[0]?.metadata.annotations).toMatchObject({ 'argocd.argoproj.io/refresh': answer.refreshRequestedAt });
    await service.Update({ cluster: cluster(), updatedFields: ['labels'] }, call);
    expect((await secrets())[0]?.metadata.annotations).not.toHaveProperty('argocd.argoproj.io/refresh');
  });

  it('counts applications by server and by name, and says how a cluster is', async () => {
    const { api } = live.home;
    const application = (name: string, destination: object): KubeObject =>
      ({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name, namespace: 'argocd' },
        spec: { project: 'default', source: { repoURL: 'https://git.example.org/x' }, destination },
      }) as KubeObject;
    await api.create(applicationType, application('a', { server: `${IN_CLUSTER}/`, namespace: 'x' }));
    await api.create(applicationType, application('b', { name: 'in-cluster', namespace: 'x' }));
    await api.create(applicationType, application('c', { name: 'nobody', namespace: 'x' }));
    await waitUntil(() => applications.size === 3);
    const around = live.clusters.resolve({ server: IN_CLUSTER });
    expect(await service.Get({ server: IN_CLUSTER }, call)).toMatchObject({
      connectionState: { status: 'Successful' },
      serverVersion: expect.stringMatching(/^1\.\d+\.\d+$/) as string,
      info: { applicationsCount: 2, cacheInfo: {} },
    });
    await around.cache.whenSynced();
    const { info } = await service.Get({ server: IN_CLUSTER }, call);
    expect(info).toMatchObject({
      connectionState: { status: 'Successful', message: '' },
      cacheInfo: { resourcesCount: around.cache.counts.rows, apisCount: around.cache.counts.kinds },
    });
    expect(info?.apiVersions).toEqual(expect.arrayContaining(['v1', 'v1/Pod', 'apps/v1/Deployment', 'argoproj.io/v1alpha1/Application']));
    await service.Create({ cluster: cluster() }, call);
    expect(await service.Get({ server: stub.url }, call)).toMatchObject({
      connectionState: { status: 'Unknown', message: 'Cluster has no applications and is not being monitored.' },
    });
    await live.clusters
      .resolve({ server: stub.url })
      .cache.whenSynced()
      .catch(() => undefined);
    expect(await service.Get({ server: stub.url }, call)).toMatchObject({ connectionState: { status: 'Failed' } });
  });

  it('refuses to give a new token to who has none of a service account', async () => {
    await service.Create({ cluster: cluster() }, call);
    await expect(service.RotateAuth({ server: stub.url }, call)).rejects.toThrow(
      'the bearer token is not one of a service account that is kept in a Secret',
    );
    await expect(service.RotateAuth({ server: IN_CLUSTER }, call)).rejects.toMatchObject({
      code: 3,
      message: `Cluster '${IN_CLUSTER}' does not use bearer token authentication`,
    });
  });

  it('registers no cluster around Fairway where that is switched off', async () => {
    const body = { data: { 'cluster.inClusterEnabled': 'false' } };
    await live.home.api.patch(kinds.configMap, { namespace: 'argocd', name: 'argocd-cm' }, { type: 'merge', body });
    await waitUntil(() => !live.settings.current.general.inClusterEnabled);
    await expect(service.Create({ cluster: cluster({ server: IN_CLUSTER }) }, call)).rejects.toMatchObject({
      code: 3,
      message: 'cannot register cluster: in-cluster has been disabled',
    });
  });
});
