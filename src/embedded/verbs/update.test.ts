import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, deployment, startTestApi, types } from '../../../test/support/embedded.ts';
import type { TestApi } from '../../../test/support/embedded.ts';
import type { KubeObject } from '../../objects/index.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startTestApi({ controllers: { garbageCollection: false, namespaces: false } });
});
afterAll(() => test.stop());

const ref = (name: string) => ({ namespace: 'default', name });

function edit(object: KubeObject, changes: Record<string, unknown>): KubeObject {
  return { ...object, ...changes } as KubeObject;
}

describe('update', () => {
  it('needs the version that it replaces, if it names one', async () => {
    const first = await test.api.create(types.configMaps, configMap('versions'));
    await test.api.update(types.configMaps, edit(first, { data: { a: '1' } }));
    await expect(test.api.update(types.configMaps, edit(first, { data: { a: '2' } }))).rejects.toMatchObject({
      message:
        'Operation cannot be fulfilled on configmaps "versions": the object has been modified; please apply your changes to the latest version and try again',
      status: { code: 409, reason: 'Conflict', details: { name: 'versions', kind: 'configmaps' } },
    });
    const updated = await test.api.update(types.configMaps, configMap('versions', { data: { a: '3' } }));
    expect(updated['data']).toEqual({ a: '3' });
  });

  it('makes no new version of what does not change', async () => {
    const created = await test.api.create(types.configMaps, configMap('same'));
    test.clock.advance(60_000);
    const updated = await test.api.update(types.configMaps, created);
    expect(updated).toEqual(created);
  });

  it('keeps what no client can change', async () => {
    const created = await test.api.create(types.configMaps, configMap('kept'));
    const metadata = { ...created.metadata, creationTimestamp: '2000-01-01T00:00:00Z', generation: 9 };
    const updated = await test.api.update(types.configMaps, edit(created, { metadata, data: { a: 'b' } }));
    expect(updated.metadata.creationTimestamp).toBe(created.metadata.creationTimestamp);
    expect(updated.metadata).not.toHaveProperty('generation');
    await expect(
      test.api.update(types.configMaps, edit(updated, { metadata: { ...updated.metadata, uid: 'other' } })),
    ).rejects.toMatchObject({
      reason: 'Conflict',
    });
  });

  it('forgets the owners of fields when it is given an empty list of them', async () => {
    const created = await test.api.create(types.configMaps, configMap('disowned'));
    const updated = await test.api.update(types.configMaps, edit(created, { metadata: { ...created.metadata, managedFields: [] } }));
    expect(updated.metadata).not.toHaveProperty('managedFields');
  });

  it('takes another uid for another object, where a patch takes it for a change that cannot be', async () => {
    await test.api.create(types.configMaps, configMap('uid'));
    await expect(test.api.update(types.configMaps, configMap('uid', { metadata: { uid: '1' } }))).rejects.toThrow(
      /^Operation cannot be fulfilled on configmaps "uid": StorageError: invalid object, Code: 4, Key: \/registry\/configmaps\/default\/uid, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: 1, UID in object meta: /,
    );
    await expect(test.api.patch(types.configMaps, ref('uid'), { type: 'merge', body: { metadata: { uid: '1' } } })).rejects.toMatchObject({
      message: 'ConfigMap "uid" is invalid: metadata.uid: Invalid value: "1": field is immutable',
    });
  });

  it('refuses what does not exist, except for kinds that an update creates', async () => {
    await expect(test.api.update(types.configMaps, configMap('absent'))).rejects.toMatchObject({
      message: 'configmaps "absent" not found',
    });
    let created = 0;
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'new', namespace: 'default' } };
    await test.api.update(types.leases, lease, { onCreated: () => (created += 1) });
    expect(created).toBe(1);
  });

  it('counts generations by what is wanted, and leaves the status to its own endpoint', async () => {
    const created = await test.api.create(types.deployments, deployment('web'));
    expect(created.metadata.generation).toBe(1);
    const withStatus = await test.api.update(types.deployments, edit(created, { status: { replicas: 5 } }));
    expect(withStatus['status']).toEqual({});
    const status = edit(created, { spec: { replicas: 9 }, status: { replicas: 5 } });
    const updated = await test.api.update(types.deployments, status, { subresource: 'status' });
    expect(updated).toMatchObject({ metadata: { generation: 1 }, spec: { replicas: 1 }, status: { replicas: 5 } });
    const scaled = await test.api.patch(types.deployments, ref('web'), { type: 'merge', body: { spec: { replicas: 2 } } });
    expect(scaled).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 2 }, status: { replicas: 5 } });
  });

  it('refuses another selector for a Deployment', async () => {
    await test.api.create(types.deployments, deployment('fixed'));
    const body = { spec: { selector: { matchLabels: { app: 'z' } }, template: { metadata: { labels: { app: 'z' } } } } };
    await expect(test.api.patch(types.deployments, ref('fixed'), { type: 'merge', body })).rejects.toMatchObject({
      message: 'Deployment.apps "fixed" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"z"}}: field is immutable',
    });
  });
});

describe('the scale subresource', () => {
  it('shows and sets the replicas, and owns them', async () => {
    await test.api.create(types.deployments, deployment('scaled'), { fieldManager: 'creator' });
    const scale = await test.api.get(types.deployments, ref('scaled'), { subresource: 'scale' });
    expect(scale).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 1 },
      status: { replicas: 0, selector: 'app=scaled' },
    });
    const options = { subresource: 'scale', fieldManager: 'scaler' };
    await test.api.update(types.deployments, edit(scale, { spec: { replicas: 3 } }), options);
    await test.api.patch(types.deployments, ref('scaled'), { type: 'merge', body: { spec: { replicas: 4 } } }, options);
    const object = await test.api.get(types.deployments, ref('scaled'), { keepManagedFields: true });
    expect(object).toMatchObject({ spec: { replicas: 4 }, metadata: { generation: 3 } });
    expect(object.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'scaler', subresource: 'scale', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }),
    );
    await expect(
      test.api.patch(types.deployments, ref('scaled'), { type: 'merge', body: { spec: { replicas: -3 } } }, options),
    ).rejects.toMatchObject({
      message: 'Scale.autoscaling "scaled" is invalid: spec.replicas: Invalid value: -3: must be greater than or equal to 0',
    });
  });
});
