import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Cluster } from '../../../src/clusters/index.ts';
import { systemTimers, type Timers } from '../../../src/base/index.ts';
import type { HttpKubeApi } from '../../../src/kube/index.ts';
import { connectTo, describeWithCluster, testNamespace } from '../../support/cluster/shared-cluster.ts';
import { kinds } from '../../support/kinds.ts';
import { adminConfig, openLiveClusters, TRACKING_ID, type LiveClusters } from '../../support/live-clusters.ts';
import { waitUntil } from '../../support/wait-until.ts';

describeWithCluster('a cluster of which only a part may be seen', (shared) => {
  let live: LiveClusters;
  let admin: HttpKubeApi;
  let namespace: string;
  let instance: string;
  const timers = countTimers();

  beforeEach(async () => {
    admin = await connectTo(shared());
    namespace = await testNamespace(shared());
    instance = `${namespace}-shop`;
    live = await openLiveClusters({ timers });
  });

  afterEach(async () => {
    await live.close();
    await admin.close();
  });

  it('is followed in the namespaces that are registered, and refuses what is outside', async () => {
    const other = await testNamespace(shared());
    await live.register('cluster-part', { server: shared().url, name: 'part', config: adminConfig(shared()), namespaces: namespace });
    const { cache } = live.clusters.resolve({ name: 'part' });
    await cache.whenSynced();
    for (const place of [namespace, other]) await admin.create(kinds.configMap, configMap(place, instance));
    await waitUntil(() => cache.managed(instance).size === 1);
    expect([...cache.managed(instance).keys()]).toEqual([`/ConfigMap/${namespace}/seen`]);
    expect([...cache.rowsOf({ group: '', kind: 'Node' })]).toEqual([]);
    await expect(cache.liveObjects(instance, [{ group: '', kind: 'Namespace', name: 'x' }])).rejects.toThrow(
      'cluster level Namespace "x" can not be managed when in namespaced mode',
    );
    await expect(cache.liveObjects(instance, [{ group: '', kind: 'ConfigMap', namespace: other, name: 'seen' }])).rejects.toThrow(
      `namespace "${other}" for ConfigMap "seen" is not managed`,
    );
  });

  it('names each kind that it may not list', async () => {
    const cluster = await registerLimited('');
    await cluster.cache.whenSynced();
    await admin.create(kinds.configMap, configMap(namespace, instance));
    await waitUntil(() => cluster.cache.managed(instance).size === 1);
    const secrets = cluster.cache.troubles().find(({ type }) => type.kind === 'Secret');
    expect(secrets).toMatchObject({ namespace, synced: false, trouble: { reason: 'forbidden', code: 403 } });
  });

  it.each(['normal', 'strict'])('lets the others go where %s respect is paid to its rules', async (mode) => {
    const cluster = await registerLimited(mode);
    await cluster.cache.whenSynced();
    await admin.create(kinds.configMap, configMap(namespace, instance));
    await waitUntil(() => cluster.cache.managed(instance).size === 1);
    await waitUntil(() => cluster.cache.counts.kinds === 1);
  });

  it('leaves no connection and no timer behind', async () => {
    await live.register('cluster-all', { server: shared().url, name: 'all', config: adminConfig(shared()) });
    const before = { timers: timers.waiting, sockets: countSockets() };
    const { cache } = live.clusters.resolve({ name: 'all' });
    await cache.whenSynced();
    cache.invalidate();
    await cache.whenSynced();
    expect(countSockets()).toBeGreaterThan(before.sockets + 20);
    await live.clusters.stop();
    await waitUntil(() => countSockets() <= before.sockets && timers.waiting <= before.timers);
  });

  /** As an account that may see config maps in one namespace and nothing else. */
  async function registerLimited(respect: string): Promise<Cluster> {
    await admin.create(roleType, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { namespace, name: 'limited' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
    });
    await admin.create(bindingType, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { namespace, name: 'limited' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'limited' },
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }],
    });
    const { status } = await admin.create(
      kinds.serviceAccount,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: { namespace, name: 'default' }, spec: {} },
      { subresource: 'token' },
    );
    const { tlsClientConfig } = JSON.parse(adminConfig(shared())) as { tlsClientConfig: { caData: string } };
    const config = { bearerToken: (status as { token: string }).token, tlsClientConfig: { caData: tlsClientConfig.caData } };
    await live.home.api.patch(
      kinds.configMap,
      { namespace: 'argocd', name: 'argocd-cm' },
      { type: 'merge', body: { data: { 'resource.respectRBAC': respect } } },
    );
    await waitUntil(() => live.settings.current.general.respectRbac === respect);
    await live.register('cluster-limited', {
      server: shared().url,
      name: 'limited',
      config: JSON.stringify(config),
      namespaces: namespace,
    });
    return live.clusters.resolve({ name: 'limited' });
  }
});

const rbac = (plural: string, kind: string) =>
  ({ group: 'rbac.authorization.k8s.io', version: 'v1', plural, kind, namespaced: true }) as const;
const roleType = rbac('roles', 'Role');
const bindingType = rbac('rolebindings', 'RoleBinding');

function configMap(namespace: string, instance: string) {
  const annotations = { [TRACKING_ID]: `${instance}:/ConfigMap:${namespace}/seen` };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'seen', annotations } };
}

function countSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

/** The timers of this machine, and how many are waiting. */
function countTimers(): Timers & { readonly waiting: number } {
  const waiting = new Set<object>();
  return {
    nowMs: () => systemTimers.nowMs(),
    schedule(delayMs, run) {
      const mark = {};
      waiting.add(mark);
      const cancel = systemTimers.schedule(delayMs, () => {
        waiting.delete(mark);
        run();
      });
      return () => {
        waiting.delete(mark);
        cancel();
      };
    },
    get waiting() {
      return waiting.size;
    },
  };
}
