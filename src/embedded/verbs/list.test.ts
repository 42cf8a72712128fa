import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, startTestApi, types } from '../../../test/support/embedded.ts';
import type { TestApi } from '../../../test/support/embedded.ts';
import type { ListOptions, ResourceType } from '../../kube/index.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startTestApi();
  await test.api.create(types.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
  for (let index = 0; index < 25; index += 1) {
    const name = `item-${String(index).padStart(2, '0')}`;
    const namespace = index % 5 === 0 ? 'other' : 'default';
    await test.api.create(types.configMaps, configMap(name, { metadata: { namespace, labels: { third: String(index % 3) } } }));
  }
});
afterAll(() => test.stop());

async function names(options: ListOptions): Promise<readonly (string | undefined)[]> {
  const { items } = await test.api.list(types.configMaps, options);
  return items.map((item) => item.metadata.name);
}

describe('list', () => {
  it('shows one namespace or all, by name', async () => {
    expect(await names({ namespace: 'other' })).toEqual(['item-00', 'item-05', 'item-10', 'item-15', 'item-20']);
    expect(await names({})).toHaveLength(25);
  });

  it('selects by labels and fields', async () => {
    expect(await names({ labelSelector: 'third=1', namespace: 'other' })).toEqual(['item-10']);
    expect(await names({ fieldSelector: 'metadata.name=item-07' })).toEqual(['item-07']);
    expect(await names({ fieldSelector: 'metadata.namespace=other,metadata.name!=item-05' })).toHaveLength(4);
    await expect(names({ fieldSelector: 'spec.x=a' })).rejects.toMatchObject({
      message: '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    });
    await expect(names({ labelSelector: 'a===' })).rejects.toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  it('selects by fields that are not simply what stands at their path', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const place = (name: string) => ({ name, namespace: 'default' });
    await test.api.create(types.pods, { apiVersion: 'v1', kind: 'Pod', metadata: place('plain'), spec });
    await test.api.create(types.pods, { apiVersion: 'v1', kind: 'Pod', metadata: place('host'), spec: { ...spec, hostNetwork: true } });
    const template = { spec: { ...spec, restartPolicy: 'Never' } };
    for (const name of ['fresh', 'done'])
      await test.api.create(types.jobs, { apiVersion: 'batch/v1', kind: 'Job', metadata: place(name), spec: { template } });
    await test.api.patch(types.jobs, place('done'), { type: 'merge', body: { status: { succeeded: 1 } } }, { subresource: 'status' });
    const event = { apiVersion: 'v1', kind: 'Event', involvedObject: {}, reason: 'R' };
    await test.api.create(types.events, { ...event, metadata: place('old'), source: { component: 'kubelet' } });
    await test.api.create(types.events, { ...event, metadata: place('new'), reportingComponent: 'scheduler' });
    const found = async (type: ResourceType, fieldSelector: string): Promise<readonly (string | undefined)[]> =>
      (await test.api.list(type, { namespace: 'default', fieldSelector })).items.map((item) => item.metadata.name);
    expect(await found(types.pods, 'spec.hostNetwork=false')).toEqual(['plain']);
    expect(await found(types.pods, 'spec.hostNetwork=true')).toEqual(['host']);
    expect(await found(types.jobs, 'status.successful=0')).toEqual(['fresh']);
    expect(await found(types.jobs, 'status.successful=1')).toEqual(['done']);
    expect(await found(types.events, 'source=kubelet')).toEqual(['old']);
    expect(await found(types.events, 'source=scheduler')).toEqual(['new']);
  });

  it('goes on page by page as of the first page, whatever happens meanwhile', async () => {
    const first = await test.api.list(types.configMaps, { limit: 10 });
    expect(first.metadata.remainingItemCount).toBe(15);
    await test.api.delete(types.configMaps, { namespace: 'default', name: 'item-23' });
    await test.api.create(types.configMaps, configMap('item-23b'));
    await test.api.patch(types.configMaps, { namespace: 'default', name: 'item-24' }, { type: 'merge', body: { data: { key: 'new' } } });
    const seen = [...first.items];
    let token = first.metadata.continue;
    const pages = [first.items.length];
    while (token !== undefined) {
      const page = await test.api.list(types.configMaps, { limit: 10, continue: token });
      expect(page.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
      pages.push(page.items.length);
      seen.push(...page.items);
      token = page.metadata.continue;
    }
    expect(pages).toEqual([10, 10, 5]);
    const shown = seen.map((item) => item.metadata.name);
    expect(shown).toHaveLength(25);
    expect(shown).toContain('item-23');
    expect(shown).not.toContain('item-23b');
    expect(seen.find((item) => item.metadata.name === 'item-24')?.['data']).toEqual({ key: 'value' });
    const exact = await test.api.list(types.configMaps, { resourceVersion: first.metadata.resourceVersion, resourceVersionMatch: 'Exact' });
    expect(new Set(exact.items.map((item) => item.metadata.name))).toEqual(new Set(shown));
  });

  it('refuses versions that are not there yet or any more', async () => {
    const { metadata } = await test.api.list(types.configMaps, { limit: 1 });
    await expect(names({ resourceVersion: '999999' })).rejects.toMatchObject({
      code: 504,
      message: expect.stringMatching(/^Timeout: Too large resource version: 999999, current: \d+$/),
    });
    await expect(names({ resourceVersionMatch: 'Exact' })).rejects.toMatchObject({ code: 422 });
    await expect(names({ continue: 'abc' })).rejects.toMatchObject({
      code: 400,
      message: expect.stringMatching(/^invalid continue token: /),
    });
    await test.api.create(types.configMaps, configMap('later'));
    await test.api.create(types.configMaps, configMap('later-still'));
    await test.api.compact(Number(metadata.resourceVersion) + 1);
    await expect(names({ continue: metadata.continue ?? '' })).rejects.toMatchObject({ code: 410, reason: 'Expired' });
    await expect(names({ resourceVersion: metadata.resourceVersion, resourceVersionMatch: 'Exact' })).rejects.toMatchObject({
      message: 'The resourceVersion for the provided list is too old.',
    });
  });

  it('shows what was written last, however often the same page was asked for before', async () => {
    const ref = { namespace: 'default', name: 'item-01' };
    const page = async () => (await test.api.list(types.configMaps, { namespace: 'default', limit: 3 })).items;
    for (const value of ['one', 'two']) {
      const before = await Promise.all([page(), page(), page()]);
      expect(before[1]).toEqual(before[0]);
      expect(before[2]).toEqual(before[0]);
      await test.api.patch(types.configMaps, ref, { type: 'merge', body: { data: { key: value } } });
      expect((await page())[0]).toMatchObject({ metadata: { name: 'item-01' }, data: { key: value } });
    }
    await test.api.delete(types.configMaps, ref);
    expect((await page()).map((item) => item.metadata.name)).not.toContain('item-01');
    expect(await test.api.list(types.configMaps, { namespace: 'other', limit: 3 })).toMatchObject({
      items: [{ metadata: { name: 'item-00' } }, { metadata: { name: 'item-05' } }, { metadata: { name: 'item-10' } }],
    });
  });
});
