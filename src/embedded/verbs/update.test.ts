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

  it('makes nothing anew that says which object it was', async () => {
    const metadata = { name: 'gone', namespace: 'default', uid: 'that-one' };
    await expect(test.api.update(types.leases, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata })).rejects.toMatchObject({
      reason: 'Conflict',
      message: expect.stringContaining('Precondition failed: UID in precondition: that-one, UID in object meta: ') as unknown,
    });
    await expect(test.api.get(types.leases, ref('gone'))).rejects.toMatchObject({ reason: 'NotFound' });
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

  it('takes nothing else than a Scale of the right types, by whatever way it comes', async () => {
    const created = await test.api.create(types.deployments, deployment('typed', { replicas: 2 }));
    const scale = await test.api.get(types.deployments, ref('typed'), { subresource: 'scale' });
    const put = (object: KubeObject) => test.api.update(types.deployments, object, { subresource: 'scale' });
    await expect(put(edit(scale, { spec: { replicas: '3' } }))).rejects.toMatchObject({
      code: 400,
      message:
        'Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32',
    });
    await expect(put(edit(created, { spec: { replicas: 3 } }))).rejects.toMatchObject({
      code: 400,
      message: 'the API version in the data (apps/v1) does not match the expected API version (autoscaling/v1)',
    });
    const patch = (body: object) => ({ type: 'merge', body: body as never }) as const;
    const options = { subresource: 'scale', fieldManager: 'scaler' };
    await expect(test.api.patch(types.deployments, ref('typed'), patch({ spec: { replicas: '3' } }), options)).rejects.toMatchObject({
      code: 422,
    });
    const applied = (body: object) => test.api.patch(types.deployments, ref('typed'), { type: 'apply', body: body as never }, options);
    await expect(applied({ apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 3 } })).rejects.toMatchObject({
      message: 'invalid object type: apps/v1, Kind=Deployment',
    });
    await expect(applied({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: '3' } })).rejects.toThrow(
      '.spec.replicas: expected numeric',
    );
    expect(await test.api.get(types.deployments, ref('typed'))).toMatchObject({ spec: { replicas: 2 } });
  });

  it('leaves to the owners of other versions what is theirs', async () => {
    const kind = (version: string) => ({ group: 'ex.io', version, plural: 'bars', kind: 'Bar', namespaced: true });
    const scale = { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'] };
    for (const version of ['v1', 'v2'])
      test.api.kinds.register({
        type: kind(version),
        isCustom: true,
        subresources: ['scale'],
        scale,
        storage: { group: 'ex.io', plural: 'bars', version: 'v1' },
      });
    const apply = (version: string, manager: string, spec: object) =>
      test.api.patch(
        kind(version),
        ref('scaled'),
        { type: 'apply', body: { apiVersion: `ex.io/${version}`, kind: 'Bar', metadata: { name: 'scaled' }, spec } as never },
        { fieldManager: manager },
      );
    await apply('v1', 'first', { size: 1, replicas: 1 });
    await apply('v2', 'second', { colour: 'red' });
    const body = { spec: { replicas: 4 } };
    await test.api.patch(kind('v2'), ref('scaled'), { type: 'merge', body }, { subresource: 'scale', fieldManager: 'scaler' });
    const { metadata } = await test.api.get(kind('v1'), ref('scaled'), { keepManagedFields: true });
    const owned = metadata.managedFields?.map(({ manager, apiVersion, fieldsV1 }) => [manager, apiVersion, fieldsV1]);
    expect(owned).toHaveLength(3);
    expect(owned).toEqual(
      expect.arrayContaining([
        ['first', 'ex.io/v1', { 'f:spec': { '.': {}, 'f:size': {} } }],
        ['second', 'ex.io/v2', { 'f:spec': { '.': {}, 'f:colour': {} } }],
        ['scaler', 'ex.io/v2', { 'f:spec': { 'f:replicas': {} } }],
      ]),
    );
  });
});

describe('the finalizers of a Namespace', () => {
  it('are changed by who means this Namespace, in this version, and in earnest', async () => {
    const created = await test.api.create(types.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    const finalize = (metadata: object, options: object = {}) =>
      test.api.update(types.namespaces, edit(created, { metadata: { ...created.metadata, ...metadata }, spec: { finalizers: [] } }), {
        subresource: 'finalize',
        ...options,
      });
    await expect(finalize({ uid: 'another' })).rejects.toMatchObject({ reason: 'Conflict' });
    await expect(finalize({ resourceVersion: '1' })).rejects.toMatchObject({ reason: 'Conflict' });
    expect((await finalize({}, { dryRun: true }))['spec']).toEqual({});
    expect(await test.api.get(types.namespaces, { name: 'team' })).toEqual(created);
    await finalize({});
    expect((await test.api.get(types.namespaces, { name: 'team' }))['spec']).toEqual({});
  });
});
