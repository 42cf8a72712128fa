import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HttpKubeApi } from '../../../src/kube/index.ts';
import type { KubeObject } from '../../../src/objects/index.ts';
import { connectTo, describeWithCluster, testNamespace } from '../../support/cluster/shared-cluster.ts';
import { kinds } from '../../support/kinds.ts';
import { waitUntil } from '../../support/wait-until.ts';

describeWithCluster('verbs on a real cluster', (cluster) => {
  let api: HttpKubeApi;
  let namespace: string;
  beforeAll(async () => {
    api = await connectTo(cluster());
    namespace = await testNamespace(cluster());
  });
  afterAll(() => api.close());

  const configMap = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels },
    data,
  });
  const deployment = (name: string): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'one', image: 'example/one:1' }] } },
    },
  });

  it('creates, reads, updates and deletes', async () => {
    const created = await api.create(kinds.configMap, configMap('plain', { a: '1' }), { fieldManager: 'tester' });
    expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    const read = await api.get(kinds.configMap, { namespace, name: 'plain' });
    expect(read).toEqual(created);
    const updated = await api.update(kinds.configMap, { ...read, data: { a: '2' } });
    expect(updated['data']).toEqual({ a: '2' });
    await api.delete(kinds.configMap, { namespace, name: 'plain' });
    await expect(api.get(kinds.configMap, { namespace, name: 'plain' })).rejects.toMatchObject({ code: 404, reason: 'NotFound' });
  });

  it('leaves managedFields out unless asked, and an update does not lose them', async () => {
    const created = await api.create(kinds.configMap, configMap('owners', { a: '1' }), { fieldManager: 'first' });
    expect(created.metadata).not.toHaveProperty('managedFields');
    await api.update(kinds.configMap, { ...created, data: { a: '1', b: '2' } }, { fieldManager: 'second' });
    const { metadata } = await api.get(kinds.configMap, { namespace, name: 'owners' }, { keepManagedFields: true });
    expect(metadata.managedFields?.map((entry) => entry['manager'])).toEqual(['first', 'second']);
    const page = await api.list(kinds.configMap, { namespace, fieldSelector: 'metadata.name=owners', keepManagedFields: true });
    expect(page.items[0]?.metadata.managedFields).toHaveLength(2);
  });

  it('refuses an update of an old version, a second creation and a bad object, in the words of the API', async () => {
    const created = await api.create(kinds.configMap, configMap('conflict'));
    await api.update(kinds.configMap, { ...created, data: { a: '1' } });
    await expect(api.update(kinds.configMap, { ...created, data: { a: '2' } })).rejects.toMatchObject({ code: 409, reason: 'Conflict' });
    await expect(api.create(kinds.configMap, configMap('conflict'))).rejects.toMatchObject({ code: 409, reason: 'AlreadyExists' });
    const bad = await api.create(kinds.configMap, configMap('Not_A_Name')).catch((error: unknown) => error);
    expect(bad).toMatchObject({
      code: 422,
      reason: 'Invalid',
      status: { details: { kind: 'ConfigMap', causes: [{ field: 'metadata.name' }] } },
    });
    expect((bad as Error).message).toContain('ConfigMap "Not_A_Name" is invalid: metadata.name');
  });

  it('patches in every form', async () => {
    await api.create(kinds.deployment, deployment('patched'));
    const ref = { namespace, name: 'patched' };
    const json = await api.patch(kinds.deployment, ref, {
      type: 'json',
      operations: [{ op: 'add', path: '/metadata/labels', value: { form: 'json' } }],
    });
    expect(json.metadata.labels).toEqual({ form: 'json' });
    const merge = await api.patch(kinds.deployment, ref, { type: 'merge', body: { metadata: { labels: { form: 'merge' } } } });
    expect(merge.metadata.labels).toEqual({ form: 'merge' });
    const strategic = await api.patch(kinds.deployment, ref, {
      type: 'strategic',
      body: { spec: { template: { spec: { containers: [{ name: 'two', image: 'example/two:1' }] } } } },
    });
    expect(JSON.stringify(strategic['spec'])).toMatch(/example\/one:1.*example\/two:1|example\/two:1.*example\/one:1/);
  });

  it('applies with a field manager, meets conflicts and forces its way', async () => {
    const body = (value: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data: { a: value } });
    const ref = { namespace, name: 'applied' };
    await api.patch(kinds.configMap, ref, { type: 'apply', body: body('1') }, { fieldManager: 'one' });
    const refused = await api
      .patch(kinds.configMap, ref, { type: 'apply', body: body('2') }, { fieldManager: 'two' })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 409,
      reason: 'Conflict',
      status: { details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.a' }] } },
    });
    const forced = await api.patch(kinds.configMap, ref, { type: 'apply', body: body('2'), force: true }, { fieldManager: 'two' });
    expect(forced['data']).toEqual({ a: '2' });
  });

  it('tries without doing', async () => {
    const created = await api.create(kinds.configMap, configMap('dry'), { dryRun: true });
    expect(created.metadata.uid).toBeDefined();
    await expect(api.get(kinds.configMap, { namespace, name: 'dry' })).rejects.toMatchObject({ reason: 'NotFound' });
    await api.create(kinds.configMap, configMap('dry'));
    await api.delete(kinds.configMap, { namespace, name: 'dry' }, { dryRun: true });
    await api.get(kinds.configMap, { namespace, name: 'dry' });
  });

  it('refuses unknown fields where told to be strict', async () => {
    const odd = { ...configMap('odd'), surprise: true };
    await expect(api.create(kinds.configMap, odd, { fieldValidation: 'Strict' })).rejects.toMatchObject({
      code: 400,
      reason: 'BadRequest',
    });
    await api.create(kinds.configMap, odd, { fieldValidation: 'Ignore' });
  });

  it('deletes only what the preconditions mean', async () => {
    const created = await api.create(kinds.configMap, configMap('precious'));
    const ref = { namespace, name: 'precious' };
    const other = '00000000-0000-0000-0000-000000000000';
    await expect(api.delete(kinds.configMap, ref, { preconditions: { uid: other } })).rejects.toMatchObject({
      code: 409,
      reason: 'Conflict',
    });
    await expect(api.delete(kinds.configMap, ref, { preconditions: { resourceVersion: '1' } })).rejects.toMatchObject({ code: 409 });
    const { uid, resourceVersion } = created.metadata;
    if (uid === undefined || resourceVersion === undefined) throw new Error('no uid');
    await api.delete(kinds.configMap, ref, { preconditions: { uid, resourceVersion } });
  });

  it('deletes dependents with their owner, or orphans them', async () => {
    const replicaSets = async (app: string) => (await api.list(kinds.replicaSet, { namespace, labelSelector: `app=${app}` })).items;
    for (const name of ['owner-orphan', 'owner-background', 'owner-foreground']) {
      await api.create(kinds.deployment, deployment(name));
      await waitUntil(async () => (await replicaSets(name)).length === 1);
    }
    await api.delete(kinds.deployment, { namespace, name: 'owner-orphan' }, { propagation: 'Orphan' });
    await api.delete(kinds.deployment, { namespace, name: 'owner-background' }, { propagation: 'Background' });
    const foreground = await api.delete(kinds.deployment, { namespace, name: 'owner-foreground' }, { propagation: 'Foreground' });
    expect(foreground.metadata).toMatchObject({ finalizers: ['foregroundDeletion'] });
    await waitUntil(async () => (await replicaSets('owner-background')).length === 0);
    await waitUntil(async () => (await replicaSets('owner-foreground')).length === 0);
    await waitUntil(async () => (await replicaSets('owner-orphan'))[0]?.metadata.ownerReferences === undefined);
    expect(await replicaSets('owner-orphan')).toHaveLength(1);
  });

  it('reads and writes subresources', async () => {
    await api.create(kinds.deployment, deployment('scaled'));
    const ref = { namespace, name: 'scaled' };
    const scale = await api.get(kinds.deployment, ref, { subresource: 'scale' });
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 1 } });
    // Without a version: the controllers write to the deployment at the same time.
    const wanted = { ...scale, metadata: { name: 'scaled', namespace }, spec: { replicas: 2 } };
    const scaled = await api.update(kinds.deployment, wanted, { subresource: 'scale' });
    expect(scaled).toMatchObject({ spec: { replicas: 2 } });
    const patch = { type: 'merge', body: { status: { observedGeneration: 7 }, spec: { replicas: 9 } } } as const;
    const status = await api.patch(kinds.deployment, ref, patch, { subresource: 'status', dryRun: true });
    expect(status).toMatchObject({ status: { observedGeneration: 7 }, spec: { replicas: 2 } });
    const metadata = { name: 'default', namespace };
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec: { expirationSeconds: 600 } };
    const token = await api.create(kinds.serviceAccount, request, { subresource: 'token' });
    expect((token['status'] as { token: string }).token).toMatch(/^eyJ/);
  });

  it('selects by label and field, and deletes a selection', async () => {
    for (const name of ['red-1', 'red-2', 'blue-1']) {
      await api.create(kinds.configMap, configMap(name, {}, { colour: name.split('-')[0] ?? '' }));
    }
    const names = async (options: object) =>
      (await api.list(kinds.configMap, { namespace, ...options })).items.map(({ metadata }) => metadata.name);
    expect(await names({ labelSelector: 'colour in (red)' })).toEqual(['red-1', 'red-2']);
    expect(await names({ labelSelector: 'colour', fieldSelector: 'metadata.name=blue-1' })).toEqual(['blue-1']);
    await api.deleteCollection(kinds.configMap, { namespace, labelSelector: 'colour=red' });
    expect(await names({ labelSelector: 'colour' })).toEqual(['blue-1']);
  });

  it('lists in pages, and everything where no page is asked for', async () => {
    const small = await connectTo(cluster(), { limits: { pageSize: 7 } });
    for (let index = 0; index < 20; index += 1) {
      await api.create(kinds.configMap, configMap(`paged-${String(index).padStart(2, '0')}`, {}, { paged: 'yes' }));
    }
    const first = await api.list(kinds.configMap, { namespace, labelSelector: 'paged=yes', limit: 6 });
    expect(first.items).toHaveLength(6);
    const token = first.metadata.continue ?? '';
    const second = await api.list(kinds.configMap, { namespace, labelSelector: 'paged=yes', limit: 100, continue: token });
    expect([...first.items, ...second.items].map(({ metadata }) => metadata.name)).toEqual(
      Array.from({ length: 20 }, (_, index) => `paged-${String(index).padStart(2, '0')}`),
    );
    const all = await small.list(kinds.configMap, { namespace, labelSelector: 'paged=yes' });
    expect(all.items).toHaveLength(20);
    expect(all.metadata.continue).toBeUndefined();
    expect(all.items[19]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'paged-19' } });
    await small.close();
  });

  it('keeps names in their place', async () => {
    expect(() => api.delete(kinds.configMap, { namespace, name: '..' })).toThrow('cannot be part of a path');
    await expect(api.get(kinds.configMap, { namespace: 'a/b', name: 'c' })).rejects.toThrow('cannot be part of a path');
    await expect(api.get(kinds.configMap, { name: 'c' })).rejects.toThrow('none is given');
  });

  it('says what the user may not do', async () => {
    const stranger = await connectTo(cluster(), { user: 'fairway' });
    const refused = await stranger.list(kinds.secret, { namespace }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 403, reason: 'Forbidden' });
    await stranger.close();
  });
});
