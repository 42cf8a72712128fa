import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HttpKubeApi, WatchEvent, WatchOptions } from '../../../src/kube/index.ts';
import type { KubeObject } from '../../../src/objects/index.ts';
import { connectTo, describeWithCluster, testNamespace } from '../../support/cluster/shared-cluster.ts';
import { kinds } from '../../support/kinds.ts';
import { waitUntil } from '../../support/wait-until.ts';

describeWithCluster('watches and logs on a real cluster', (cluster) => {
  let api: HttpKubeApi;
  let namespace: string;
  beforeAll(async () => {
    api = await connectTo(cluster());
    namespace = await testNamespace(cluster());
  });
  afterAll(() => api.close());

  const configMap = (name: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { name } },
  });
  const pod = (name: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace },
    spec: { containers: [{ name: 'one', image: 'example/one:1' }] },
  });

  /** The events up to the first that `isLast` means. */
  async function collect(options: WatchOptions, isLast: (event: WatchEvent, seen: number) => boolean): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    for await (const event of api.watch(kinds.configMap, { namespace, ...options })) {
      events.push(event);
      if (isLast(event, events.length)) break;
    }
    return events;
  }

  it('sees every change from a version on, and resumes from any of them', async () => {
    const { metadata } = await api.list(kinds.configMap, { namespace, limit: 1 });
    const created = await api.create(kinds.configMap, configMap('watched'));
    await api.update(kinds.configMap, { ...created, data: { a: '1' } });
    await api.delete(kinds.configMap, { namespace, name: 'watched' });
    const { resourceVersion } = metadata;
    const all = await collect({ resourceVersion, labelSelector: 'name=watched' }, (event) => event.type === 'DELETED');
    expect(all.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(all[0]?.object).toEqual(created);
    expect(all[0]?.object.metadata).not.toHaveProperty('managedFields');
    const from = created.metadata.resourceVersion ?? '';
    const rest = await collect({ resourceVersion: from, labelSelector: 'name=watched' }, (event) => event.type === 'DELETED');
    expect(rest.map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
  });

  it('starts with what is there where no version is given, and ends when its time is over', async () => {
    await api.create(kinds.configMap, configMap('there'));
    const events = await collect({ labelSelector: 'name=there', timeoutSeconds: 1, allowBookmarks: true }, () => false);
    expect(events[0]).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'there' } } });
    expect(events.at(-1)?.type).toBe('BOOKMARK');
    expect(Number(events.at(-1)?.object.metadata['resourceVersion'])).toBeGreaterThan(0);
  });

  it('throws what the API says of a version that it cannot know', async () => {
    const reading = collect({ resourceVersion: 'nonsense' }, () => true);
    await expect(reading).rejects.toThrow('resourceVersion: Invalid value: "nonsense"');
  });

  it('ends at once when the caller ends it, and gives its connection back', async () => {
    const controller = new AbortController();
    const reading = collect({ signal: controller.signal }, () => false);
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });

  it('holds many watches beside each other', async () => {
    const watches = Array.from({ length: 20 }, () => collect({ labelSelector: 'name=many' }, () => true));
    await api.create(kinds.configMap, configMap('many'));
    const seen = await Promise.all(watches);
    expect(seen.flat()).toHaveLength(20);
  });

  it('reads the log of a pod', async () => {
    await api.create(kinds.pod, pod('talker'));
    await waitUntil(async () => JSON.stringify((await api.get(kinds.pod, { namespace, name: 'talker' }))['status']).includes('"Running"'));
    const text = async (options: object): Promise<string> => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of api.logs({ namespace, name: 'talker' }, options)) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };
    expect((await text({})).split('\n')).toHaveLength(21);
    expect(await text({ tailLines: 1 })).toBe('line 20\n');
    expect(await text({ tailLines: 1, timestamps: true })).toMatch(/^2024-01-02T03:04:19(\.0+)?Z line 20\n$/);
    for await (const chunk of api.logs({ namespace, name: 'talker' }, { follow: true, container: 'one' })) {
      expect(Buffer.from(chunk).toString()).toContain('line 1');
      break;
    }
    await expect(text({ container: 'none' })).rejects.toMatchObject({ code: 400, reason: 'BadRequest' });
  });
});
