import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, types } from '../../../test/support/embedded.ts';
import type { TestApi } from '../../../test/support/embedded.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startTestApi({ controllers: { garbageCollection: false, namespaces: false } });
});
afterAll(() => test.stop());

const ref = (name: string) => ({ namespace: 'default', name });
const bindings = { group: '', version: 'v1', plural: 'bindings', kind: 'Binding', namespaced: true };

async function createPod(name: string): Promise<KubeObject> {
  return await test.api.create(types.pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
}

function evict(name: string, deleteOptions: JsonObject, more: JsonObject = {}): Promise<KubeObject> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: ref(name), deleteOptions, ...more };
  return test.api.create(types.pods, eviction as KubeObject, { subresource: 'eviction' });
}

async function isThere(name: string): Promise<boolean> {
  const { items } = await test.api.list(types.pods, { fieldSelector: `metadata.name=${name}` });
  return items.length === 1;
}

describe('an eviction', () => {
  it('heeds its own options: it may be a dry run, and of one Pod only', async () => {
    const { metadata } = await createPod('evicted');
    expect(await evict('evicted', { dryRun: ['All'] })).toMatchObject({ status: 'Success', code: 201 });
    for (const preconditions of [{ uid: 'another' }, { resourceVersion: '1' }])
      await expect(evict('evicted', { preconditions })).rejects.toMatchObject({ reason: 'Conflict' });
    expect(await isThere('evicted')).toBe(true);
    await evict('evicted', { preconditions: { uid: metadata.uid ?? '' } });
    expect(await isThere('evicted')).toBe(false);
  });

  it('is refused where it is none, or its options make no sense', async () => {
    await createPod('spared');
    await expect(evict('spared', { dryRun: 'All' })).rejects.toMatchObject({ code: 400 });
    await expect(evict('spared', { dryRun: ['Some'] })).rejects.toMatchObject({ code: 422 });
    await expect(evict('spared', { propagationPolicy: 'Never' })).rejects.toMatchObject({ code: 422 });
    await expect(evict('spared', {}, { kind: 'Pod', apiVersion: 'v1' })).rejects.toMatchObject({ code: 400 });
    expect(await isThere('spared')).toBe(true);
    await evict('spared', {}, { apiVersion: 'policy/v1beta1' });
    expect(await isThere('spared')).toBe(false);
  });

  it('cannot be read or patched', async () => {
    await createPod('closed');
    for (const subresource of ['binding', 'eviction', 'exec', 'proxy']) {
      await expect(test.api.get(types.pods, ref('closed'), { subresource })).rejects.toMatchObject({ code: 405 });
      const patch = { type: 'merge', body: { metadata: { labels: { a: 'b' } } } } as const;
      await expect(test.api.patch(types.pods, ref('closed'), patch, { subresource })).rejects.toMatchObject({ code: 405 });
    }
    expect((await test.api.get(types.pods, ref('closed'))).metadata).not.toHaveProperty('labels');
  });
});

describe('a binding', () => {
  it('that is posted by itself binds the Pod of its name, and is not kept', async () => {
    await createPod('bound');
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: ref('bound'), target: { kind: 'Node', name: 'n' } };
    expect(await test.api.create(bindings, binding)).toMatchObject({ kind: 'Status', status: 'Success' });
    expect(await test.api.get(types.pods, ref('bound'))).toMatchObject({ spec: { nodeName: 'n' } });
    await expect(test.api.create(bindings, binding)).rejects.toMatchObject({ reason: 'Conflict' });
    await expect(test.api.create(bindings, { ...binding, metadata: ref('absent') })).rejects.toMatchObject({
      message: 'pods "absent" not found',
    });
  });
});
