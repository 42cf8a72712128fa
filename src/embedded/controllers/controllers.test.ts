import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMap, startTestApi, types } from '../../../test/support/embedded.ts';
import type { TestApi } from '../../../test/support/embedded.ts';
import type { KubeObject, OwnerReference } from '../../objects/index.ts';

let test: TestApi;
beforeEach(async () => {
  test = await startTestApi();
});
afterEach(() => test.stop());

const ref = (name: string) => ({ namespace: 'default', name });
const clusterRoles = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'clusterroles',
  kind: 'ClusterRole',
  namespaced: false,
} as const;

async function create(name: string, owners: readonly KubeObject[] = [], reference: Partial<OwnerReference> = {}): Promise<KubeObject> {
  const ownerReferences = owners.map(({ apiVersion, kind, metadata }) => ({
    apiVersion,
    kind,
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    ...reference,
  }));
  return await test.api.create(types.configMaps, configMap(name, { metadata: { ...(owners.length > 0 && { ownerReferences }) } }));
}

async function names(): Promise<readonly (string | undefined)[]> {
  await test.api.controllersIdle();
  const { items } = await test.api.list(types.configMaps, { namespace: 'default' });
  return items.map((item) => item.metadata.name);
}

describe('garbage collection', () => {
  it('deletes, in the background, what has lost its last owner, down the tree', async () => {
    const owner = await create('owner');
    const second = await create('second');
    const child = await create('child', [owner]);
    await create('grandchild', [child]);
    await create('shared', [owner, second]);
    await test.api.delete(types.configMaps, ref('owner'), { propagation: 'Background' });
    expect(await names()).toEqual(['second', 'shared']);
    const shared = await test.api.get(types.configMaps, ref('shared'));
    expect(shared.metadata.ownerReferences?.map((reference) => reference.name)).toEqual(['second']);
  });

  it('keeps an owner, in the foreground, until those that block it are gone', async () => {
    const owner = await create('owner');
    const child = await create('child', [owner], { blockOwnerDeletion: true });
    await create('grandchild', [child], { blockOwnerDeletion: true });
    await test.api.patch(types.configMaps, ref('grandchild'), { type: 'merge', body: { metadata: { finalizers: ['a.b/c'] } } });
    await test.api.delete(types.configMaps, ref('owner'), { propagation: 'Foreground' });
    expect(await names()).toEqual(['child', 'grandchild', 'owner']);
    expect((await test.api.get(types.configMaps, ref('child'))).metadata.finalizers).toEqual(['foregroundDeletion']);
    await test.api.patch(types.configMaps, ref('grandchild'), { type: 'merge', body: { metadata: { finalizers: null } } });
    expect(await names()).toEqual([]);
  });

  it('does not wait for those that do not block', async () => {
    const owner = await create('owner');
    await create('child', [owner]);
    await test.api.patch(types.configMaps, ref('child'), { type: 'merge', body: { metadata: { finalizers: ['a.b/c'] } } });
    await test.api.delete(types.configMaps, ref('owner'), { propagation: 'Foreground' });
    expect(await names()).toEqual(['child']);
  });

  it('lets dependents go when they shall be orphans', async () => {
    const owner = await create('owner');
    await create('child', [owner]);
    await test.api.delete(types.configMaps, ref('owner'), { propagation: 'Orphan' });
    expect(await names()).toEqual(['child']);
    expect((await test.api.get(types.configMaps, ref('child'))).metadata).not.toHaveProperty('ownerReferences');
  });

  it('deletes what comes with an owner that is not there, but not what it cannot judge', async () => {
    const owner = await create('owner');
    const absent = { ...owner, metadata: { ...owner.metadata, uid: 'another' } };
    await create('child', [absent]);
    await create('unknown', [{ ...owner, apiVersion: 'nobody.io/v1', kind: 'Thing' }]);
    expect(await names()).toEqual(['owner', 'unknown']);
  });

  it('spares what is in no namespace and names an owner in one, and does not wait for it', async () => {
    const owner = await create('owner');
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '', blockOwnerDeletion: true },
    ];
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'reader', ownerReferences } };
    await test.api.create(clusterRoles, role);
    const kept = async (): Promise<number> => {
      await test.api.controllersIdle();
      return (await test.api.list(clusterRoles)).items.length;
    };
    expect(await kept()).toBe(1);
    await test.api.delete(types.configMaps, ref('owner'), { propagation: 'Foreground' });
    expect(await names()).toEqual([]);
    expect(await kept()).toBe(1);
    await test.reopen();
    expect(await kept()).toBe(1);
  });

  it('finds after a restart what was left to do', async () => {
    await test.reopen({ controllers: { garbageCollection: false } });
    const owner = await create('owner');
    await create('child', [owner]);
    await test.api.delete(types.configMaps, ref('owner'));
    expect(await names()).toEqual(['child']);
    await test.reopen({ controllers: {} });
    expect(await names()).toEqual([]);
  });
});

describe('namespaces', () => {
  const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

  it('exist from the start, and those that belong to the system come back', async () => {
    const { items } = await test.api.list(types.namespaces);
    expect(items.map((item) => item.metadata.name)).toEqual(['argocd', 'default', 'kube-node-lease', 'kube-public', 'kube-system']);
    expect(items[0]).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'argocd' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    await test.api.delete(types.namespaces, { name: 'argocd' });
    await test.api.controllersIdle();
    await test.reopen();
    expect((await test.api.list(types.namespaces)).items).toHaveLength(4);
  });

  it('go with all that is in them, and take nothing new meanwhile', async () => {
    await test.api.create(types.namespaces, namespace('team'));
    await test.api.create(types.configMaps, configMap('free', { metadata: { namespace: 'team' } }));
    await test.api.create(types.configMaps, configMap('held', { metadata: { namespace: 'team', finalizers: ['a.b/c'] } }));
    const deleted = await test.api.delete(types.namespaces, { name: 'team' });
    expect(deleted).toMatchObject({
      kind: 'Namespace',
      metadata: { deletionTimestamp: '2026-01-02T03:04:05Z' },
      status: { phase: 'Terminating' },
    });
    expect(deleted).not.toHaveProperty('metadata.deletionGracePeriodSeconds');
    await test.api.controllersIdle();
    await expect(test.api.create(types.configMaps, configMap('new', { metadata: { namespace: 'team' } }))).rejects.toMatchObject({
      message: 'configmaps "new" is forbidden: unable to create new content in namespace team because it is being terminated',
      status: {
        details: {
          causes: [{ reason: 'NamespaceTerminating', message: 'namespace team is being terminated', field: 'metadata.namespace' }],
        },
      },
    });
    const { items } = await test.api.list(types.configMaps, { namespace: 'team' });
    expect(items.map((item) => item.metadata.name)).toEqual(['held']);
    const version = test.api.resourceVersion;
    const { status } = await test.api.get(types.namespaces, { name: 'team' });
    expect(status).toMatchObject({
      phase: 'Terminating',
      conditions: [
        {},
        {},
        {},
        {
          type: 'NamespaceContentRemaining',
          status: 'True',
          message: 'Some resources are remaining: configmaps. has 1 resource instances',
        },
        {
          message: 'Some content in the namespace has finalizers remaining: a.b/c in 1 resource instances',
          lastTransitionTime: '2026-01-02T03:04:05Z',
        },
      ],
    });
    expect(test.api.resourceVersion).toBe(version);
    await test.api.patch(
      types.configMaps,
      { namespace: 'team', name: 'held' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    await test.api.controllersIdle();
    await expect(test.api.get(types.namespaces, { name: 'team' })).rejects.toMatchObject({ reason: 'NotFound' });
  });
});

describe('housekeeping', () => {
  it('lets Events go an hour after they were last written', async () => {
    const event = (name: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: 'default' },
      involvedObject: {},
      reason: 'R',
    });
    await test.api.create(types.events, event('old'));
    await test.api.create(types.events, event('renewed'));
    test.clock.advance(3_000_000);
    await test.api.patch(types.events, ref('renewed'), { type: 'merge', body: { count: 2 } });
    test.clock.advance(601_000);
    test.api.keepHouse();
    await test.api.controllersIdle();
    const { items } = await test.api.list(types.events);
    expect(items.map((item) => item.metadata.name)).toEqual(['renewed']);
  });

  it('forgets history by number and by age, and nothing that is current', async () => {
    await test.reopen({ limits: { historyChangesMax: 10 } });
    const start = test.api.resourceVersion;
    for (let index = 0; index < 30; index += 1) await test.api.create(types.configMaps, configMap(`item-${index}`));
    test.api.keepHouse();
    await test.api.controllersIdle();
    const first = await test.api.watch(types.configMaps, { resourceVersion: start })[Symbol.asyncIterator]().next();
    expect(first.value).toMatchObject({ type: 'ERROR', object: { message: `too old resource version: ${start} (${Number(start) + 20})` } });
    expect(await names()).toHaveLength(30);
    const middle = String(Number(test.api.resourceVersion) - 5);
    await test.reopen({ limits: { historyAgeMs: 1_000 } });
    test.clock.advance(2_000);
    test.api.keepHouse();
    await test.api.controllersIdle();
    const second = await test.api.watch(types.configMaps, { resourceVersion: middle })[Symbol.asyncIterator]().next();
    expect(second.value).toMatchObject({ type: 'ERROR' });
    await test.reopen();
    expect(await names()).toHaveLength(30);
    expect(test.api.checkIntegrity()).toEqual([]);
  });
});
