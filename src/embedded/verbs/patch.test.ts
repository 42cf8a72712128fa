import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, deployment, startTestApi, types } from '../../../test/support/embedded.ts';
import type { TestApi } from '../../../test/support/embedded.ts';
import type { Patch } from '../../kube/index.ts';
import type { JsonObject } from '../../objects/index.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startTestApi();
  test.api.kinds.register({
    type: { group: 'ex.io', version: 'v1', plural: 'foos', kind: 'Foo', namespaced: true },
    isCustom: true,
    rules: { needsVersion: true },
  });
});
afterAll(() => test.stop());

const ref = (name: string) => ({ namespace: 'default', name });
const applied = (name: string, data: JsonObject): Patch => ({
  type: 'apply',
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
});

describe('patch', () => {
  it('changes by JSON, merge and strategic patches', async () => {
    await test.api.create(types.deployments, deployment('patched'));
    await test.api.patch(types.deployments, ref('patched'), {
      type: 'json',
      operations: [{ op: 'replace', path: '/spec/replicas', value: 2 }],
    });
    await test.api.patch(types.deployments, ref('patched'), { type: 'merge', body: { metadata: { labels: { a: 'b' } } } });
    const body = { spec: { template: { spec: { containers: [{ name: 'side', image: 'busybox:1' }] } } } };
    const result = await test.api.patch(types.deployments, ref('patched'), { type: 'strategic', body });
    expect(result).toMatchObject({
      metadata: { labels: { a: 'b' } },
      spec: { replicas: 2, template: { spec: { containers: [{ name: 'side', imagePullPolicy: 'IfNotPresent' }, { name: 'main' }] } } },
    });
  });

  it('is refused in the words of the API server', async () => {
    await test.api.create(types.configMaps, configMap('refused', { data: { a: 'b' } }));
    const patch = (value: Patch) => test.api.patch(types.configMaps, ref('refused'), value);
    await expect(patch({ type: 'json', operations: [{ op: 'test', path: '/data/a', value: 'c' }] })).rejects.toMatchObject({
      message: 'the server rejected our request due to an error in our request',
      status: { code: 422, reason: 'Invalid', details: {} },
    });
    await expect(patch({ type: 'merge', body: { metadata: { name: 'b' } } })).rejects.toMatchObject({
      message: 'the name of the object (b) does not match the name on the URL (refused)',
    });
    await expect(patch({ type: 'merge', body: { metadata: { resourceVersion: '1' }, data: { a: 'c' } } })).rejects.toMatchObject({
      reason: 'Conflict',
    });
    await expect(patch({ type: 'merge', body: { data: { a: 1 } } })).rejects.toMatchObject({ code: 422, reason: 'Invalid' });
    await expect(test.api.patch(types.configMaps, ref('absent'), { type: 'merge', body: {} })).rejects.toMatchObject({
      reason: 'NotFound',
    });
  });

  it('has no strategic form for custom resources, whose updates need a version', async () => {
    const foos = { group: 'ex.io', version: 'v1', plural: 'foos', kind: 'Foo', namespaced: true };
    await test.api.create(foos, { apiVersion: 'ex.io/v1', kind: 'Foo', metadata: { name: 'a', namespace: 'default' }, spec: { a: 1 } });
    await expect(test.api.patch(foos, ref('a'), { type: 'strategic', body: {} })).rejects.toMatchObject({ code: 415 });
    await expect(
      test.api.update(foos, { apiVersion: 'ex.io/v1', kind: 'Foo', metadata: { name: 'a', namespace: 'default' } }),
    ).rejects.toMatchObject({
      message: 'foos.ex.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    });
    expect(await test.api.patch(foos, ref('a'), { type: 'merge', body: { spec: { b: 2 } } })).toMatchObject({ spec: { a: 1, b: 2 } });
  });
});

describe('server-side apply', () => {
  it('creates, then owns, then conflicts, then is forced', async () => {
    let created = 0;
    const first = await test.api.patch(types.configMaps, ref('applied'), applied('applied', { a: 'b' }), {
      fieldManager: 'x',
      keepManagedFields: true,
      onCreated: () => (created += 1),
    });
    expect(created).toBe(1);
    expect(first.metadata.managedFields).toEqual([
      {
        manager: 'x',
        operation: 'Apply',
        apiVersion: 'v1',
        time: '2026-01-02T03:04:05Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:a': {} } },
      },
    ]);
    await expect(
      test.api.patch(types.configMaps, ref('applied'), applied('applied', { a: 'c' }), { fieldManager: 'y' }),
    ).rejects.toMatchObject({
      message: 'Apply failed with 1 conflict: conflict with "x": .data.a',
      status: { code: 409, details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "x"', field: '.data.a' }] } },
    });
    const forced = await test.api.patch(types.configMaps, ref('applied'), { ...applied('applied', { a: 'c' }), force: true } as Patch, {
      fieldManager: 'y',
    });
    expect(forced['data']).toEqual({ a: 'c' });
  });

  it('writes nothing when nothing changes', async () => {
    const patch = applied('again', { a: 'b' });
    const first = await test.api.patch(types.configMaps, ref('again'), patch, { fieldManager: 'x' });
    test.clock.advance(5_000);
    expect(await test.api.patch(types.configMaps, ref('again'), patch, { fieldManager: 'x' })).toEqual(first);
  });

  it('makes nothing anew that says which object it was', async () => {
    const { metadata } = await test.api.create(types.configMaps, configMap('deleted'));
    await test.api.delete(types.configMaps, ref('deleted'));
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'deleted', uid: metadata.uid ?? '' }, data: { a: 'b' } };
    let created = 0;
    await expect(
      test.api.patch(types.configMaps, ref('deleted'), { type: 'apply', body }, { fieldManager: 'x', onCreated: () => (created += 1) }),
    ).rejects.toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on configmaps "deleted": uid mismatch: the provided object specified uid ${metadata.uid}, and no existing object was found`,
    });
    expect(created).toBe(0);
  });

  it('needs a field manager', async () => {
    await expect(test.api.patch(types.configMaps, ref('nobody'), applied('nobody', {}))).rejects.toMatchObject({
      message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    });
  });
});
