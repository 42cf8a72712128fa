import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Cluster, KindTrouble, LiveChange } from '../../../src/clusters/index.ts';
import type { KubeObject } from '../../../src/objects/index.ts';
import { describeWithCluster, testNamespace } from '../../support/cluster/shared-cluster.ts';
import { startFaultProxy, type FaultProxy } from '../../support/fault-proxy.ts';
import { kinds } from '../../support/kinds.ts';
import { adminConfig, openLiveClusters, TRACKING_ID, type LiveClusters } from '../../support/live-clusters.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { definitionType, widget, widgetDefinition, widgetType } from '../../support/widget-definition.ts';

const statefulSetType = { group: 'apps', version: 'v1', plural: 'statefulsets', kind: 'StatefulSet', namespaced: true } as const;

describeWithCluster('what lives in a real cluster', (shared) => {
  let live: LiveClusters;
  let cluster: Cluster;
  let namespace: string;

  beforeAll(async () => {
    namespace = await testNamespace(shared());
    live = await openLiveClusters();
    await live.register('cluster-real', { server: `${shared().url}/`, name: 'real', config: adminConfig(shared()) });
    cluster = live.clusters.resolve({ name: 'real' });
    await cluster.cache.whenSynced();
  });

  afterAll(() => live.close());

  it('is followed with all its kinds, without trouble', () => {
    const { counts, resources, serverVersion, state } = cluster.cache;
    expect(builtinTroubles(cluster)).toEqual([]);
    expect(state.name).toBe('synced');
    expect(serverVersion).toMatch(/^v1\.\d+\.\d+$/);
    expect(counts.kinds).toBeGreaterThan(40);
    expect(counts.rows).toBeGreaterThan(50);
    expect(resources.some(({ kind }) => kind === 'Event')).toBe(true);
    expect([...cluster.cache.rowsOf({ group: '', kind: 'Event' })]).toEqual([]);
  });

  it('shows the tree of a deployment, and that it goes again', async () => {
    const { api, cache } = cluster;
    const changes = listenTo(cluster);
    await api.create(kinds.deployment, deployment(namespace, 'web', `${namespace}-shop`));
    const root = { group: 'apps', kind: 'Deployment', namespace, name: 'web' };
    const tree = await waitUntil(() => {
      const rows = cache.tree([root]);
      return rows.filter(({ row }) => row.health?.status === 'Healthy').length === 2 && rows;
    });
    expect(tree.map(({ row, parents }) => `${row.type.kind} < ${parents.map(({ type }) => type.kind).join()}`)).toEqual([
      'Deployment < ',
      'ReplicaSet < Deployment',
      'Pod < ReplicaSet',
      'Pod < ReplicaSet',
    ]);
    expect(changes.some(({ instances }) => instances.get(`${namespace}-shop`) === 'compare')).toBe(true);
    await api.delete(kinds.deployment, { namespace, name: 'web' }, { propagation: 'Background' });
    await waitUntil(() => [...cache.rowsOf({ group: '', kind: 'Pod' })].every((row) => row.namespace !== namespace));
    expect(cache.managed(`${namespace}-shop`).size).toBe(0);
    expect(cache.tree([root])).toEqual([]);
  });

  it('ties the claims of a stateful set to it, and the token of a service account', async () => {
    const { api, cache } = cluster;
    await api.create(statefulSetType, statefulSet(namespace, 'db', `${namespace}-store`));
    await waitUntil(() =>
      cache
        .tree([{ group: 'apps', kind: 'StatefulSet', namespace, name: 'db' }])
        .some(({ row, parents }) => row.name === 'data-db-0' && parents[0]?.name === 'db'),
    );
    await api.create(kinds.secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, name: 'token', annotations: { 'kubernetes.io/service-account.name': 'default' } },
      type: 'kubernetes.io/service-account-token',
    });
    await waitUntil(() =>
      cache.tree([{ group: '', kind: 'ServiceAccount', namespace, name: 'default' }]).some(({ row }) => row.name === 'token'),
    );
  });

  it('follows a kind that is defined later, until its definition goes', async () => {
    const { api, cache } = cluster;
    const group = `${namespace}.example.org`;
    await api.create(definitionType, widgetDefinition(group));
    await waitUntil(() => cache.typeOf({ group, kind: 'Widget' }));
    const annotations = { [TRACKING_ID]: `${namespace}-factory:${group}/Widget:${namespace}/one` };
    await api.create(widgetType(group), widget(group, { name: 'one', namespace, annotations }));
    await waitUntil(() => cache.managed(`${namespace}-factory`).size === 1);
    await api.delete(definitionType, { name: `widgets.${group}` });
    await waitUntil(() => cache.managed(`${namespace}-factory`).size === 0 && cache.typeOf({ group, kind: 'Widget' }) === undefined);
    await waitUntil(() => cache.troubles().every(({ type }) => type.group !== group));
  });
});

describeWithCluster('a cluster with faults', (shared) => {
  let live: LiveClusters;
  let proxy: FaultProxy;
  let namespace: string;
  let server: string;

  beforeAll(async () => {
    namespace = await testNamespace(shared());
    proxy = await startFaultProxy(shared());
    server = proxy.url;
    live = await openLiveClusters({
      limits: {
        // Long enough for a machine that is busy with other tests: a slow kind is not to be taken for a silent one.
        callMs: 8_000,
        silentMs: 8_000,
        watch: { pageTimeoutMs: 15_000, watchMinMs: 50, backOff: { firstMs: 20, maxMs: 200 } },
        api: { retryDelayMs: 5 },
      },
    });
    await live.register('cluster-faulty', { server, name: 'faulty', config: adminConfig(shared()) });
  });

  afterAll(async () => {
    await live.close();
    await proxy.close();
  });

  it('degrades only the kind that is broken, and names the cause', async () => {
    const only = ({ url }: { readonly url: string }) => url.startsWith('/api/v1/configmaps');
    const fault = proxy.inject({ kind: 'answer', status: 500, reason: 'InternalError', message: 'conversion webhook failed' }, { only });
    const cluster = live.clusters.resolve({ server });
    const { cache, api } = cluster;
    await cache.whenSynced();
    expect(builtinTroubles(cluster)).toMatchObject([
      { type: { kind: 'ConfigMap' }, synced: false, trouble: { message: 'conversion webhook failed' } },
    ]);
    await api.create(kinds.deployment, deployment(namespace, 'well', `${namespace}-well`));
    await waitUntil(() => cache.managed(`${namespace}-well`).size === 1);
    // A target of the broken kind is asked for itself: what is not known is not taken for what is not there.
    const target = { group: '', kind: 'ConfigMap', namespace, name: 'kube-root-ca.crt' };
    expect([...(await cache.liveObjects(`${namespace}-well`, [target])).keys()]).toContain(`/ConfigMap/${namespace}/kube-root-ca.crt`);
    fault.lift();
    await waitUntil(() => builtinTroubles(cluster).length === 0 && cache.find(target) !== undefined);
  });

  it('goes on from where it was when all connections break, without a new list', async () => {
    const { cache, api } = live.clusters.resolve({ server });
    await cache.whenSynced();
    const lists = () => proxy.requests.filter(isBuiltinList).length;
    const before = lists();
    const begun = proxy.watchesBegun;
    proxy.cutAll();
    await waitUntil(() => proxy.watchesBegun >= begun + 40);
    await api.create(kinds.configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace, name: 'after', annotations: { [TRACKING_ID]: `${namespace}-after:/ConfigMap:${namespace}/after` } },
    });
    await waitUntil(() => cache.managed(`${namespace}-after`).size === 1);
    expect(lists() - before).toBe(0);
  });

  it('fails at once while it is dead, does not hinder others, and comes back', async () => {
    const { cache } = live.clusters.resolve({ server });
    await proxy.refuse();
    cache.invalidate();
    await expect(cache.whenSynced()).rejects.toThrow(`the state of the cluster ${server} is not known`);
    expect(() => cache.managed(`${namespace}-well`)).toThrow('is not known');
    expect(cache.state).toMatchObject({ name: 'failed' });
    const other = live.clusters.resolve({ name: 'in-cluster' });
    await other.cache.whenSynced();
    const changes: LiveChange[] = [];
    cache.onChange((change) => changes.push(change));
    await proxy.accept();
    await waitUntil(() => cache.state.name === 'synced');
    await waitUntil(() => changes.length > 0);
    expect(cache.managed(`${namespace}-well`).size).toBe(1);
  });

  it('does not hinder others while it is silent, and is given up after a while', async () => {
    const { cache } = live.clusters.resolve({ server });
    const silence = proxy.inject({ kind: 'silence' }, { only: ({ url }) => url === '/api' || url === '/apis' });
    cache.invalidate();
    const waiting = cache.whenSynced();
    const other = live.clusters.resolve({ name: 'in-cluster' });
    other.cache.invalidate();
    await other.cache.whenSynced();
    expect(cache.state.name).toBe('starting');
    await expect(waiting).rejects.toThrow('no answer within 8 s');
    silence.lift();
    await waitUntil(() => cache.state.name === 'synced');
  });

  it('is read without a kind that never answers, which is named until it does', async () => {
    const cluster = live.clusters.resolve({ server });
    const silence = proxy.inject({ kind: 'silence' }, { only: ({ url }) => url.startsWith('/api/v1/secrets') });
    cluster.cache.invalidate();
    await cluster.cache.whenSynced();
    expect(builtinTroubles(cluster)).toMatchObject([{ type: { kind: 'Secret' }, synced: false }]);
    silence.lift();
    await waitUntil(() => builtinTroubles(cluster).length === 0);
  });

  it('lists every kind once at the start', async () => {
    const { cache } = live.clusters.resolve({ server });
    await cache.whenSynced();
    const first = proxy.requests.length;
    cache.invalidate();
    await cache.whenSynced();
    const lists = proxy.requests
      .slice(first)
      .filter(isBuiltinList)
      .map(({ url }) => url.split('?')[0]);
    expect(lists.length).toBe(new Set(lists).size);
    expect(lists.length).toBeGreaterThan(40);
  });
});

/** Other tests define kinds of their own on the same cluster, and break them. */
function isBuiltinGroup(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}

function builtinTroubles({ cache }: Cluster): readonly KindTrouble[] {
  return cache.troubles().filter(({ type }) => isBuiltinGroup(type.group));
}

function isBuiltinList({ url, isWatch }: { readonly url: string; readonly isWatch: boolean }): boolean {
  const group = /^\/apis\/([^/]+)\//.exec(url)?.[1] ?? '';
  return !isWatch && /[?&]limit=/.test(url) && isBuiltinGroup(group);
}

function listenTo({ cache }: Cluster): LiveChange[] {
  const changes: LiveChange[] = [];
  cache.onChange((change) => changes.push(change));
  return changes;
}

function deployment(namespace: string, name: string, instance: string): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, annotations: { [TRACKING_ID]: `${instance}:apps/Deployment:${namespace}/${name}` } },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: podTemplate(labels) },
  };
}

function statefulSet(namespace: string, name: string, instance: string): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace, annotations: { [TRACKING_ID]: `${instance}:apps/StatefulSet:${namespace}/${name}` } },
    spec: {
      serviceName: name,
      replicas: 1,
      selector: { matchLabels: labels },
      template: podTemplate(labels),
      volumeClaimTemplates: [
        { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      ],
    },
  };
}

function podTemplate(labels: Record<string, string>): {
  metadata: { labels: Record<string, string> };
  spec: { containers: { name: string; image: string }[] };
} {
  return { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example.org/web:1' }] } };
}
