import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, startTestApi, types } from '../../../test/support/embedded.ts';
import type { TestApi } from '../../../test/support/embedded.ts';
import type { KubeObject } from '../../objects/index.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startTestApi({ controllers: { garbageCollection: false, namespaces: false } });
});
afterAll(() => test.stop());

const ref = (name: string) => ({ namespace: 'default', name });

describe('delete', () => {
  it('removes an object and says which', async () => {
    const { metadata } = await test.api.create(types.configMaps, configMap('gone'));
    expect(await test.api.delete(types.configMaps, ref('gone'), { dryRun: true })).toMatchObject({ status: 'Success' });
    expect(await test.api.delete(types.configMaps, ref('gone'))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'gone', kind: 'configmaps', uid: metadata.uid },
    });
    await expect(test.api.delete(types.configMaps, ref('gone'))).rejects.toMatchObject({ message: 'configmaps "gone" not found' });
  });

  it('holds to its preconditions', async () => {
    const { metadata } = await test.api.create(types.configMaps, configMap('conditions'));
    await expect(test.api.delete(types.configMaps, ref('conditions'), { preconditions: { uid: '1' } })).rejects.toMatchObject({
      message: `Operation cannot be fulfilled on ConfigMap "conditions": the UID in the precondition (1) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    });
    await expect(test.api.delete(types.configMaps, ref('conditions'), { preconditions: { resourceVersion: '1' } })).rejects.toMatchObject({
      message: `Operation cannot be fulfilled on ConfigMap "conditions": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    });
  });

  it('waits for finalizers, and goes with the last one', async () => {
    await test.api.create(types.configMaps, configMap('held', { metadata: { finalizers: ['a.b/c', 'a.b/d'] } }));
    const marked = await test.api.delete(types.configMaps, ref('held'));
    expect(marked).toMatchObject({
      kind: 'ConfigMap',
      metadata: { deletionTimestamp: '2026-01-02T03:04:05Z', deletionGracePeriodSeconds: 0 },
    });
    expect(await test.api.delete(types.configMaps, ref('held'))).toEqual(marked);
    const more = { metadata: { finalizers: ['a.b/c', 'a.b/d', 'x.y/z'] } };
    await expect(test.api.patch(types.configMaps, ref('held'), { type: 'merge', body: more })).rejects.toMatchObject({ reason: 'Invalid' });
    await test.api.patch(types.configMaps, ref('held'), { type: 'merge', body: { metadata: { finalizers: ['a.b/d'] } } });
    await test.api.get(types.configMaps, ref('held'));
    await test.api.patch(types.configMaps, ref('held'), { type: 'merge', body: { metadata: { finalizers: null } } });
    await expect(test.api.get(types.configMaps, ref('held'))).rejects.toMatchObject({ reason: 'NotFound' });
  });

  it('writes down what shall become of the dependents', async () => {
    await test.api.create(types.configMaps, configMap('front'));
    expect(await test.api.delete(types.configMaps, ref('front'), { propagation: 'Foreground' })).toMatchObject({
      metadata: { finalizers: ['foregroundDeletion'] },
    });
    expect(await test.api.delete(types.configMaps, ref('front'), { propagation: 'Orphan' })).toMatchObject({
      metadata: { finalizers: ['orphan'] },
    });
    expect(await test.api.delete(types.configMaps, ref('front'), { propagation: 'Background' })).toMatchObject({ status: 'Success' });
  });

  it('gives a Pod on a node its time, and none to one that is on none', async () => {
    const pod = (name: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    await test.api.create(types.pods, pod('waiting'));
    expect(await test.api.delete(types.pods, ref('waiting'))).not.toHaveProperty('metadata.deletionTimestamp');
    await test.api.create(types.pods, pod('running'));
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'running', namespace: 'default' },
      target: { kind: 'Node', name: 'n' },
    };
    await test.api.create(types.pods, binding, { subresource: 'binding' });
    expect(await test.api.delete(types.pods, ref('running'))).toMatchObject({
      metadata: { deletionGracePeriodSeconds: 30, deletionTimestamp: '2026-01-02T03:04:35Z', generation: 2 },
    });
    await test.api.delete(types.pods, ref('running'), { gracePeriodSeconds: 0 });
    await expect(test.api.get(types.pods, ref('running'))).rejects.toMatchObject({ reason: 'NotFound' });
  });

  it('deletes a selection', async () => {
    await Promise.all(
      ['a', 'b', 'c'].map((name) => test.api.create(types.configMaps, configMap(`many-${name}`, { metadata: { labels: { many: name } } }))),
    );
    await test.api.deleteCollection(types.configMaps, { namespace: 'default', labelSelector: 'many in (a,b)' });
    const { items } = await test.api.list(types.configMaps, { namespace: 'default', labelSelector: 'many' });
    expect(items.map((item) => item.metadata.name)).toEqual(['many-c']);
  });

  it('spares the namespaces without which there is no cluster', async () => {
    await expect(test.api.delete(types.namespaces, { name: 'kube-system' })).rejects.toMatchObject({
      message: 'namespaces "kube-system" is forbidden: this namespace may not be deleted',
    });
  });
});
