import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClustersChanged } from '../../../src/clusters/index.ts';
import { kinds } from '../../support/kinds.ts';
import { openLiveClusters, type LiveClusters } from '../../support/live-clusters.ts';
import { startStubServer, type StubServer } from '../../support/stub-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

const server = 'https://one.example.org:6443';
const config = JSON.stringify({ bearerToken: 'first', tlsClientConfig: { insecure: true } });

describe('registered clusters', () => {
  let live: LiveClusters;
  let changes: ClustersChanged[];

  beforeEach(async () => {
    live = await openLiveClusters();
    changes = [];
    live.clusters.onChange((change) => changes.push(change));
  });

  afterEach(() => live.close());

  const patchSecret = (name: string, stringData: Record<string, string>) =>
    live.home.api.patch(kinds.secret, { namespace: 'argocd', name }, { type: 'merge', body: { stringData } });
  const patchSettings = (data: Record<string, string>) =>
    live.home.api.patch(kinds.configMap, { namespace: 'argocd', name: 'argocd-cm' }, { type: 'merge', body: { data } });

  it('come, go on under another name, are reached in another way, and go', async () => {
    const { clusters, home } = live;
    await live.register('cluster-one', { server: `${server}/`, name: 'one', config });
    expect(changes).toEqual([{ added: [server], removed: [], changed: [] }]);
    const first = clusters.resolve({ server });
    const { api } = first;

    await patchSecret('cluster-one', { name: 'renamed' });
    await waitUntil(() => first.name === 'renamed');
    expect(clusters.resolve({ name: 'renamed' })).toBe(first);
    expect(first.api).toBe(api);

    await patchSecret('cluster-one', { config: JSON.stringify({ bearerToken: 'second', tlsClientConfig: { insecure: true } }) });
    await waitUntil(() => clusters.resolve({ server }) !== first);
    expect(() => first.api).toThrow('is no longer registered like this');
    await expect(first.cache.whenSynced()).rejects.toThrow('no longer registered');

    const second = clusters.resolve({ server }).api;
    await home.api.delete(kinds.secret, { namespace: 'argocd', name: 'cluster-one' });
    await waitUntil(() => clusters.find(server) === undefined);
    expect(changes.at(-1)).toEqual({ added: [], removed: [server], changed: [] });
    await expect(second.version()).rejects.toThrow('is closed');
  });

  it('are found by name or server, or it is said why not', async () => {
    const { clusters } = live;
    await live.register('cluster-one', { server, name: 'same', config });
    await live.register('cluster-two', { server: 'https://two.example.org', name: 'same', config });
    const resolve = (destination: object) => () => clusters.resolve(destination);
    expect(resolve({ name: 'a', server: 'b' })).toThrow("application destination can't have both name and server defined: a b");
    expect(resolve({})).toThrow('Destination server missing from app spec');
    expect(resolve({ name: 'none' })).toThrow('there are no clusters with this name: none');
    expect(resolve({ name: 'same' })).toThrow(`there are 2 clusters with the same name: [${server} https://two.example.org]`);
    expect(resolve({ server: 'https://none' })).toThrow(
      'error getting cluster by server "https://none": rpc error: code = NotFound desc = cluster "https://none" not found',
    );
  });

  it('have no cluster around Fairway where that is switched off', async () => {
    const { clusters, settings } = live;
    const around = clusters.resolve({ name: 'in-cluster' });
    await around.cache.whenSynced();
    await patchSettings({ 'cluster.inClusterEnabled': 'false' });
    await waitUntil(() => !settings.current.general.inClusterEnabled);
    expect(() => clusters.resolve({ name: 'in-cluster' })).toThrow('there are no clusters with this name: in-cluster');
    expect(() => clusters.resolve({ server: 'https://kubernetes.default.svc' })).toThrow(
      'cluster "https://kubernetes.default.svc" is disabled',
    );
    expect(around.cache.state.name).toBe('stopped');
    expect(clusters.list()).toEqual([]);
  });

  it('are left out where a Secret cannot be read, which is logged without its content', async () => {
    await live.register('cluster-bad', { server, config: 'hunter2' });
    expect(live.clusters.find(server)).toBeUndefined();
    const known = [`${server}/`, 'https://other'].map((address) => live.clusters.isRegistered({ server: address }));
    expect(known).toEqual([true, false]);
    expect(live.home.logged.join('')).toContain('A Secret registers no cluster');
    expect(live.home.logged.join('')).not.toContain('hunter2');
  });

  it('may not name a program where that is not allowed', async () => {
    const execProviderConfig = { command: 'true', apiVersion: 'client.authentication.k8s.io/v1' };
    await live.register('cluster-exec', { server, name: 'exec', config: JSON.stringify({ execProviderConfig }) });
    const cluster = live.clusters.resolve({ name: 'exec' });
    expect(() => cluster.api).toThrow('credentials from a command are not allowed here');
    await expect(cluster.cache.whenSynced()).rejects.toThrow('credentials from a command are not allowed here');
  });

  it('follow other kinds as soon as settings say so, without reading the rest again', async () => {
    const { clusters, settings, home } = live;
    const { cache } = clusters.resolve({ name: 'in-cluster' });
    await cache.whenSynced();
    const lists: string[] = [];
    home.disturb = (call) => void (call.startsWith('list') && lists.push(call));
    expect([...cache.rowsOf({ group: '', kind: 'Namespace' })]).not.toEqual([]);
    const excluded = settings.current.general.resourceExclusions.length;
    await patchSettings({ 'resource.exclusions': '[{apiGroups: [""], kinds: [Namespace]}]' });
    await waitUntil(() => settings.current.general.resourceExclusions.length !== excluded);
    await waitUntil(() => [...cache.rowsOf({ group: '', kind: 'Namespace' })].length === 0);
    expect(lists.filter((call) => call.includes('ConfigMap'))).toEqual([]);
  });
});

describe('a cluster whose credentials change', () => {
  let stub: StubServer;
  let answers: (() => void)[];
  const configOf = (bearerToken: string): string => JSON.stringify({ bearerToken });

  beforeEach(async () => {
    answers = [];
    stub = await startStubServer((_request, response) => {
      answers.push(() => void response.setHeader('content-type', 'application/json').end('{"gitVersion":"v1.36.3"}'));
    });
  });
  afterEach(() => stub.close());

  /** A call under way with the first credentials, when the second are in force. */
  async function rotate(live: LiveClusters) {
    await live.register('cluster-one', { server: stub.url, name: 'one', config: configOf('first') });
    const first = live.clusters.resolve({ name: 'one' });
    const { api } = first;
    const call = api.version();
    await waitUntil(() => answers.length === 1);
    const body = { stringData: { config: configOf('second') } };
    await live.home.api.patch(kinds.secret, { namespace: 'argocd', name: 'cluster-one' }, { type: 'merge', body });
    await waitUntil(() => live.clusters.resolve({ name: 'one' }) !== first);
    return { first, api, call };
  }

  it('lets those who work with it end, for a while', async () => {
    const live = await openLiveClusters({ limits: { graceMs: 3_000 } });
    try {
      const { first, api, call } = await rotate(live);
      expect(first.cache.state.name).toBe('stopped');
      answers[0]?.();
      expect(await call).toEqual({ gitVersion: 'v1.36.3' });
      // A call that begins now still reaches the cluster, and ends with the grace.
      await expect(api.version()).rejects.toThrow('is closed');
      expect(stub.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer first']);
    } finally {
      await live.close();
    }
  });

  it('holds nobody up who stops everything', async () => {
    const live = await openLiveClusters();
    const { call } = await rotate(live);
    await Promise.all([expect(call).rejects.toThrow('is closed'), live.close()]);
  });
});

describe('a cluster that nobody asks for', () => {
  it('is let go, unless somebody who listens still needs it', async () => {
    const live = await openLiveClusters({ limits: { idleMs: 300 } });
    try {
      const { cache } = live.clusters.resolve({ name: 'in-cluster' });
      let asked = 0;
      const stop = cache.onChange(({ kinds: changed }) => {
        if (!changed) return;
        asked += 1;
        cache.start();
      });
      await cache.whenSynced();
      const { state } = cache;
      await waitUntil(() => asked >= 2);
      expect(cache.state).toBe(state);
      stop();
      await waitUntil(() => cache.state.name === 'idle');
      expect(() => cache.managed('any')).toThrow('the cluster has not been read');
      await cache.whenSynced();
      expect(cache.counts.rows).toBeGreaterThan(0);
    } finally {
      await live.close();
    }
  });
});
