import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** For somebody who may do everything. */
function serve({ home, settings, clusters }: LiveClusters): { readonly applications: ObjectStore; readonly service: ClusterService<Call> } {
  const applications = createObjectStore({ api: home.api, type: applicationType, log: home.log });
  applications.start();
  const registry = createRegistry({ home: home.api, namespace: 'argocd', settings });
  const policy = { isAllowed: () => true };
  const clocks = { clock: systemClock, timers: systemTimers };
  return { applications, service: createClusterService({ clusters, registry, settings, policy, applications, ...clocks }) };
}

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
    ({ applications, service } = serve(live));
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

  it('DOS-01 and is asked for by an address of slashes is answered at once', async () => {
    const server = `https://x${'/'.repeat(1_000_000)}x`;
    const startMs = performance.now();
    await expect(service.Get({ server }, call)).rejects.toMatchObject({ code: 7 });
    await expect(service.Get({ id: { type: 'server', value: server } }, call)).rejects.toMatchObject({ code: 7 });
    expect(performance.now() - startMs).toBeLessThan(2_000);
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

describe('A cluster whose credentials a program prints', () => {
  const apiVersion = 'client.authentication.k8s.io/v1';
  let live: LiveClusters;
  let applications: ObjectStore;
  let service: ClusterService<Call>;
  let stub: StubServer;
  let folder: string;
  /** A program that says that it ran, and one that an administrator has listed. */
  let unlisted: string;
  let listed: string;
  let tokens: (string | undefined)[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fairway-commands-'));
    tokens = [];
    const printed = JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token: 'printed' } });
    const program = (name: string): string => {
      const file = join(folder, name);
      writeFileSync(file, `#!/bin/sh\necho ran > ${file}.ran\nprintf '%s' '${printed}'\n`, { mode: 0o755 });
      return file;
    };
    unlisted = program('unlisted');
    listed = program('listed');
    program('argocd-k8s-auth');
    stub = await startStubServer((request, response) => {
      tokens.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ gitVersion: 'v1.30.1' }));
    });
    live = await openLiveClusters({ allowCommands: true, furtherCommands: [listed], environment: { PATH: `${folder}:/usr/bin:/bin` } });
    ({ applications, service } = serve(live));
  });

  afterEach(async () => {
    await applications.stop();
    await live.close();
    await stub.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const hasRun = (name: string): boolean => existsSync(join(folder, `${name}.ran`));
  const cluster = (command: string, env?: Record<string, string>): Cluster => ({
    server: stub.url,
    name: 'one',
    config: { execProviderConfig: { command, apiVersion, ...(env && { env }) }, tlsClientConfig: { insecure: false } },
  });

  it('K8S-01 names over the API only programs that are listed, by exactly these names', async () => {
    for (const command of [unlisted, 'unlisted', '/bin/sh', './argocd-k8s-auth', join(folder, 'argocd-k8s-auth'), 'ARGOCD-K8S-AUTH']) {
      const refused = { code: 3, message: `credentials come from no other command here than argocd-k8s-auth, ${listed}` };
      await expect(service.Create({ cluster: cluster(command) }, call), command).rejects.toMatchObject(refused);
    }
    expect(hasRun('unlisted') || hasRun('argocd-k8s-auth')).toBe(false);
    for (const command of ['argocd-k8s-auth', listed]) {
      await service.Create({ cluster: cluster(command), upsert: true }, call);
      await expect(service.Update({ cluster: cluster(unlisted), updatedFields: ['config'] }, call)).rejects.toMatchObject({ code: 3 });
    }
    expect(hasRun('argocd-k8s-auth') && hasRun('listed')).toBe(true);
    expect(hasRun('unlisted')).toBe(false);
    expect(new Set(tokens)).toEqual(new Set(['Bearer printed']));
  });

  it.each(['PATH', 'LD_PRELOAD', 'AWS_CONFIG_FILE', 'AZURE_AUTHORITY_HOST', 'HTTPS_PROXY'])(
    'K8S-01 does not turn one with %s',
    async (name) => {
      const created = service.Create({ cluster: cluster('argocd-k8s-auth', { AZURE_CLIENT_ID: 'x', [name]: folder }) }, call);
      await expect(created).rejects.toMatchObject({ code: 3, message: `the variable "${name}" may not be set for a command here` });
      expect(hasRun('argocd-k8s-auth')).toBe(false);
      await service.Create({ cluster: cluster('argocd-k8s-auth', { AZURE_CLIENT_ID: 'x' }) }, call);
    },
  );

  it('keeps the program that its Secret names, whatever else of it is changed', async () => {
    const config = { execProviderConfig: { command: unlisted, apiVersion } };
    await live.register('by-hand', { server: stub.url, name: 'one', config: JSON.stringify(config) });
    const named = { ...cluster('other'), labels: { tier: 'prod' } };
    await service.Update({ cluster: named, updatedFields: ['labels'] }, call);
    const { registration } = live.clusters.find(stub.url) ?? {};
    expect(registration?.labels).toEqual({ tier: 'prod' });
    expect(JSON.parse(registration?.config.reveal() ?? '')).toEqual(config);
    // The same over the API is new to it.
    await expect(service.Update({ cluster: cluster(unlisted), updatedFields: ['config'] }, call)).rejects.toMatchObject({ code: 3 });
  });
});
