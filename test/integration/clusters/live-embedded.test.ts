import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger, systemClock } from '../../../src/base/index.ts';
import type { Cluster, LiveChange } from '../../../src/clusters/index.ts';
import { startWorkloads, type Workloads } from '../../../src/embedded/index.ts';
import type { JsonObject, KubeObject } from '../../../src/objects/index.ts';
import { kinds } from '../../support/kinds.ts';
import { openLiveClusters, TRACKING_ID, type LiveClusters } from '../../support/live-clusters.ts';
import { definitionType, widget, widgetDefinition, widgetType } from '../../support/widget-definition.ts';
import { waitUntil } from '../../support/wait-until.ts';

const group = 'embedded.example.org';

describe('what lives in the embedded cluster', () => {
  let live: LiveClusters;
  let workloads: Workloads;
  let cluster: Cluster;

  beforeAll(async () => {
    live = await openLiveClusters();
    workloads = await startWorkloads({
      api: live.home.embedded,
      clock: systemClock,
      log: createLogger({ level: 'error', format: 'text', write: () => undefined }),
    });
    cluster = live.clusters.resolve({ name: 'in-cluster' });
    await cluster.cache.whenSynced();
  });

  afterAll(async () => {
    await workloads.stop();
    await live.close();
  });

  it('is the home API itself, by name and by server', () => {
    expect(cluster.server).toBe('https://kubernetes.default.svc');
    expect(live.clusters.resolve({ server: 'https://kubernetes.default.svc/' })).toBe(cluster);
    expect(cluster.cache.state.name).toBe('synced');
    expect(cluster.cache.serverVersion).toMatch(/^v1\.\d+\.\d+$/);
    expect(cluster.cache.troubles()).toEqual([]);
  });

  it('shows what an application manages with its body, and what belongs to it in a tree', async () => {
    const { api, cache } = cluster;
    await api.create(kinds.deployment, deployment('web', 'shop'));
    const pods = await waitUntil(() => {
      const rows = cache.tree([{ group: 'apps', kind: 'Deployment', namespace: 'default', name: 'web' }]);
      const found = rows.filter(({ row }) => row.type.kind === 'Pod' && row.health?.status === 'Healthy');
      return found.length === 2 && found;
    });
    const managed = cache.managed('shop');
    expect([...managed.keys()]).toEqual(['apps/Deployment/default/web']);
    expect(managed.get('apps/Deployment/default/web')?.body?.['spec']).toMatchObject({ replicas: 2 });
    for (const { row, parents } of pods) {
      expect(row).toMatchObject({ instance: '', body: undefined });
      expect(parents.map(({ type }) => type.kind)).toEqual(['ReplicaSet']);
    }
  });

  it('tells which applications a change touches, and how', async () => {
    const { api, cache } = cluster;
    const changes = listenTo(cluster);
    await api.create(kinds.configMap, configMap('settings', 'billing'));
    await waitUntil(() => changes.some(({ instances }) => instances.get('billing') === 'compare'));
    await api.patch(kinds.configMap, { namespace: 'default', name: 'settings' }, mergeAnnotation('other:/ConfigMap:default/settings'));
    await waitUntil(() => changes.some(({ instances }) => instances.has('other') && instances.has('billing')));
    expect(cache.managed('billing').size).toBe(0);
    const [pod] = [...cache.rowsOf({ group: '', kind: 'Pod' })];
    const before = changes.length;
    await api.delete(kinds.pod, { namespace: 'default', name: pod?.name ?? '' });
    // A change of the tree alone, unless what becomes of the deployment comes in the same moment: that is to be compared.
    await waitUntil(() => changes.slice(before).some(({ instances }) => instances.has('shop')));
    await api.create(kinds.configMap, configMap('stray'));
    await waitUntil(() => changes.some(({ namespaces }) => namespaces.has('default')));
    expect([...cache.topLevel('default')].map(({ name }) => name)).toContain('stray');
  });

  it('says nothing of an update that changes nothing but bookkeeping', async () => {
    const { api } = cluster;
    const { settings } = live;
    await api.create(kinds.configMap, configMap('quiet', 'hush'));
    await waitUntil(() => cluster.cache.managed('hush').size === 1);
    await api.patch(
      kinds.configMap,
      { namespace: 'argocd', name: 'argocd-cm' },
      {
        type: 'merge',
        body: { data: { 'resource.customizations.ignoreResourceUpdates.ConfigMap': 'jsonPointers: ["/data/heartbeat"]' } },
      },
    );
    await waitUntil(() => settings.current.resourceOverrides.has('ConfigMap') && cluster.cache.state.name === 'synced');
    const changes = listenTo(cluster);
    const patch = (data: Record<string, string>) =>
      api.patch(kinds.configMap, { namespace: 'default', name: 'quiet' }, { type: 'merge', body: { data } });
    await patch({ heartbeat: '1' });
    await waitUntil(
      () => (cluster.cache.managed('hush').get('/ConfigMap/default/quiet')?.body?.['data'] as object | undefined) !== undefined,
    );
    await patch({ heartbeat: '2' });
    const { metadata } = await patch({ heartbeat: '3' });
    await waitUntil(() => cluster.cache.managed('hush').get('/ConfigMap/default/quiet')?.resourceVersion === metadata.resourceVersion);
    expect(changes.filter(({ instances }) => instances.has('hush'))).toEqual([]);
    await patch({ word: 'news' });
    await waitUntil(() => changes.some(({ instances }) => instances.has('hush')));
  });

  it('says nothing of such an update either where an object below a managed one asks for that', async () => {
    const { api, cache } = cluster;
    const owner = await api.create(kinds.configMap, configMap('parent', 'family'));
    const metadata = {
      name: 'child',
      namespace: 'default',
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: owner.metadata.uid ?? '' }],
    };
    await api.create(kinds.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { heartbeat: '1' } });
    const target = { group: '', kind: 'ConfigMap', namespace: 'default', name: 'child' };
    const patch = async (body: JsonObject): Promise<void> => {
      const written = await api.patch(kinds.configMap, target, { type: 'merge', body });
      await waitUntil(() => cache.find(target)?.resourceVersion === written.metadata.resourceVersion);
    };
    const changes = listenTo(cluster);
    /** Whether the family was told of since the last question; a change of another application shows that all has been told. */
    const isTold = async (marker: string): Promise<boolean> => {
      await api.create(kinds.configMap, configMap(marker, marker));
      await waitUntil(() => changes.some(({ instances }) => instances.has(marker)));
      return changes.splice(0).some(({ instances }) => instances.has('family'));
    };
    await waitUntil(() => cache.find(target));
    await isTold('made');
    await patch({ data: { heartbeat: '2' } });
    expect(await isTold('changed')).toBe(true);
    await patch({ metadata: { annotations: { 'argocd.argoproj.io/ignore-resource-updates': 'true' } } });
    expect(await isTold('annotated')).toBe(true);
    await patch({ data: { heartbeat: '3' } });
    expect(await isTold('ignored')).toBe(false);
    await patch({ data: { word: 'news' } });
    expect(await isTold('news')).toBe(true);
  });

  it('follows a kind that is defined later, and forgets it when the definition goes', async () => {
    const { api, cache } = cluster;
    await api.create(definitionType, widgetDefinition(group));
    await waitUntil(() => cache.typeOf({ group, kind: 'Widget' }) !== undefined);
    const annotations = { [TRACKING_ID]: `factory:${group}/Widget:default/one` };
    await api.create(widgetType(group), widget(group, { name: 'one', namespace: 'default', annotations }));
    await waitUntil(() => cache.managed('factory').size === 1);
    const changes = listenTo(cluster);
    await api.delete(definitionType, { name: `widgets.${group}` });
    await waitUntil(() => cache.managed('factory').size === 0 && cache.typeOf({ group, kind: 'Widget' }) === undefined);
    await waitUntil(() => changes.some(({ kinds: changed }) => changed));
    expect(cache.troubles()).toEqual([]);
  });

  it('has the live form of what is wanted also where it belongs to nobody', async () => {
    const { api, cache } = cluster;
    await api.create(kinds.configMap, configMap('found'));
    await waitUntil(() => cache.find({ group: '', kind: 'ConfigMap', namespace: 'default', name: 'found' }));
    const objects = await cache.liveObjects('shop', [
      { group: '', kind: 'ConfigMap', namespace: 'default', name: 'found' },
      { group: '', kind: 'ConfigMap', namespace: 'default', name: 'missing' },
      { group: 'no.such', kind: 'Thing', name: 'x' },
      // A kind that is not followed.
      { group: 'coordination.k8s.io', kind: 'Lease', namespace: 'default', name: 'none' },
    ]);
    expect([...objects.keys()].toSorted()).toEqual(['/ConfigMap/default/found', 'apps/Deployment/default/web']);
    expect(objects.get('/ConfigMap/default/found')?.['data']).toEqual({ key: 'value' });
  });
});

function listenTo({ cache }: Cluster): LiveChange[] {
  const changes: LiveChange[] = [];
  cache.onChange((change) => changes.push(change));
  return changes;
}

function mergeAnnotation(value: string) {
  return { type: 'merge', body: { metadata: { annotations: { [TRACKING_ID]: value } } } } as const;
}

function configMap(name: string, instance?: string): KubeObject {
  const annotations = instance === undefined ? {} : { [TRACKING_ID]: `${instance}:/ConfigMap:default/${name}` };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', annotations }, data: { key: 'value' } };
}

function deployment(name: string, instance: string): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default', annotations: { [TRACKING_ID]: `${instance}:apps/Deployment:default/${name}` } },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example.org/web:1' }] } },
    },
  };
}
