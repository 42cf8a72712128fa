import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../../test/support/kinds.ts';
import { openLiveClusters, type LiveClusters } from '../../../../test/support/live-clusters.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { startStubServer, type StubServer } from '../../../../test/support/stub-server.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { systemClock, systemTimers } from '../../../base/index.ts';
import { createRegistry } from '../../../clusters/index.ts';
import type { Cluster, ClusterService } from '../../../contract/index.ts';
import { createObjectStore, type ObjectStore } from '../../../kube/index.ts';
import { applicationType } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import { createClusterService } from './create-cluster-service.ts';

const call = createServiceCall('/cluster.ClusterService/List');

describe('A cluster that somebody registers', () => {
  let live: LiveClusters;
  let applications: ObjectStore;
  let service: ClusterService<Call>;
  let stub: StubServer;
  /** What the cluster answers: a text by path. */
  let answer: (path: string) => string | undefined;
  let closed = 0;
  let tokens: (string | undefined)[] = [];

  beforeEach(async () => {
    live = await openLiveClusters({ limits: { callMs: 2_000, silentMs: 2_000, retryMs: 50, api: { answerBytesMax: 1 << 20 } } });
    answer = () => JSON.stringify({ gitVersion: 'v1.30.1' });
    closed = 0;
    tokens = [];
    stub = await startStubServer((request, response) => {
      response.on('close', () => void (closed += 1));
      tokens.push(request.headers.authorization);
      const text = answer(request.url ?? '');
      if (text !== undefined) response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    const { home, settings, clusters } = live;
    applications = createObjectStore({ api: home.api, type: applicationType, log: home.log });
    applications.start();
    const registry = createRegistry({ home: home.api, namespace: 'argocd', settings });
    const policy = { isAllowed: () => true };
    service = createClusterService({ clusters, registry, settings, policy, applications, clock: systemClock, timers: systemTimers });
  });

  afterEach(async () => {
    await applications.stop();
    await live.close();
    await stub.close();
  });

  const cluster = (more: Partial<Cluster> = {}): Cluster => ({
    server: stub.url,
    name: 'one',
    config: { bearerToken: 'token', tlsClientConfig: { insecure: false } },
    ...more,
  });
  it('K8S-01 cannot name programs to run or files to read', async () => {
    const programs = [
      { execProviderConfig: { command: '/bin/sh', args: ['-c', 'id'], apiVersion: 'client.authentication.k8s.io/v1' } },
      { awsAuthConfig: { clusterName: 'x', profile: '../../etc' } },
    ];
    for (const config of programs)
      await expect(
        service.Create({ cluster: cluster({ config: { ...config, tlsClientConfig: { insecure: false } } }) }, call),
      ).rejects.toMatchObject({ code: 3 });
    const files = {
      bearerToken: 'token',
      tokenFile: '/etc/passwd',
      tlsClientConfig: { insecure: false, caFile: '/etc/passwd', certFile: '/etc/passwd', keyFile: '/etc/shadow' },
      'auth-provider': { config: { 'cmd-path': '/bin/sh' } },
    };
    await service.Create({ cluster: cluster({ config: files as Cluster['config'] & object }) }, call);
    // What a registration may not say is not listened to: the token is the one that was given.
    expect(new Set(tokens)).toEqual(new Set(['Bearer token']));
    for (const server of ['file:///etc/passwd', 'gopher://x', 'unix:///var/run/x.sock'])
      await expect(service.Create({ cluster: cluster({ server, name: 'odd' }) }, call)).rejects.toThrow(/./);
  });

  it('K8S-02 is there once, and what was read through an old registration stops', async () => {
    await service.Create({ cluster: cluster() }, call);
    await expect(service.Create({ cluster: cluster({ name: 'two' }) }, call)).rejects.toMatchObject({ code: 3 });
    expect(live.clusters.list().filter(({ server }) => server === stub.url)).toHaveLength(1);
    // A second Secret for the same server, made by hand, does not make a second cluster.
    await live.register('by-hand', { server: stub.url, name: 'another', config: '{"bearerToken":"other"}' });
    expect(live.clusters.list().filter(({ server }) => server === stub.url)).toHaveLength(1);
    await live.home.api.delete(kinds.secret, { namespace: 'argocd', name: 'by-hand' });
    await waitUntil(() => live.clusters.find(stub.url)?.name === 'one');
    const before = live.clusters.find(stub.url);
    await service.Update(
      { cluster: cluster({ config: { bearerToken: 'new', tlsClientConfig: { insecure: false } } }), updatedFields: ['config'] },
      call,
    );
    await waitUntil(() => live.clusters.find(stub.url) !== before);
    expect(() => before?.api).toThrow(/no longer registered/);
    await service.Delete({ server: stub.url }, call);
    await waitUntil(() => live.clusters.find(stub.url) === undefined);
  });

  it('K8S-03 and answers with too much, with nothing, or with nonsense harms only itself', async () => {
    await service.Create({ cluster: cluster() }, call);
    const groups = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items: [] };
    const nonsense: readonly (readonly [string, (path: string) => string | undefined])[] = [
      ['cut JSON', () => '{"kind": "APIGroupDiscoveryList", "items": ['],
      ['another kind', () => JSON.stringify({ kind: 'Pod', metadata: {}, items: 5, __proto__: null, future: { field: 1 } })],
      ['a number', () => '5'],
      ['no kinds', () => JSON.stringify(groups)],
      ['silence', () => undefined],
      ['too much', () => `{"items": [${'{"a": "bbbbbbbbbbbbbbbbbbbb"},'.repeat(100_000)}{}]}`],
    ];
    for (const [what, say] of nonsense) {
      answer = say;
      const found = live.clusters.find(stub.url);
      found?.cache.invalidate();
      await expect(found?.cache.whenSynced(AbortSignal.timeout(15_000)), what).rejects.toThrow(/./);
      const home = live.clusters.resolve({ name: 'in-cluster' });
      await home.cache.whenSynced(AbortSignal.timeout(15_000));
      expect(home.cache.counts.rows, what).toBeGreaterThan(0);
      const { items } = await service.List({}, call);
      expect(items.map(({ name }) => name).toSorted(), what).toEqual(['in-cluster', 'one']);
    }
    await service.Delete({ server: stub.url }, call);
    await waitUntil(() => live.clusters.find(stub.url) === undefined);
    expect(closed).toBeGreaterThan(0);
  }, 120_000);
});
