import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMap, startTestApi, types } from '../../../test/support/embedded.ts';
import type { TestApi } from '../../../test/support/embedded.ts';
import type { EmbeddedWatchOptions } from '../index.ts';
import type { WatchEvent } from '../../kube/index.ts';

let test: TestApi;
beforeEach(async () => {
  test = await startTestApi({ limits: { watchPendingMax: 10, bookmarkIntervalMs: 20 } });
});
afterEach(() => test.stop());

const ref = (name: string) => ({ namespace: 'default', name });

/** Takes so many events, then ends the watch. */
async function take(count: number, options: EmbeddedWatchOptions): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  for await (const event of test.api.watch(types.configMaps, options)) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

function brief(events: readonly WatchEvent[]): readonly string[] {
  return events.map(({ type, object }) => `${type} ${String((object as { metadata: { name?: string } }).metadata.name)}`);
}

async function label(name: string, value: string): Promise<void> {
  await test.api.patch(types.configMaps, ref(name), { type: 'merge', body: { metadata: { labels: { a: value } } } });
}

describe('watch', () => {
  it('shows what exists, then what happens', async () => {
    await test.api.create(types.configMaps, configMap('one'));
    const events = take(4, {});
    await test.api.create(types.configMaps, configMap('two'));
    await test.api.patch(types.configMaps, ref('one'), { type: 'merge', body: { data: { key: 'other' } } });
    const deletedAt = Number(test.api.resourceVersion) + 1;
    await test.api.delete(types.configMaps, ref('two'));
    expect(brief(await events)).toEqual(['ADDED one', 'ADDED two', 'MODIFIED one', 'DELETED two']);
    expect((await events)[3]?.object.metadata['resourceVersion']).toBe(String(deletedAt));
  });

  it('starts from any version that is retained, also after a restart', async () => {
    const start = test.api.resourceVersion;
    await test.api.create(types.configMaps, configMap('one'));
    const middle = test.api.resourceVersion;
    await test.api.delete(types.configMaps, ref('one'));
    await test.reopen();
    await test.api.create(types.configMaps, configMap('two'));
    expect(brief(await take(3, { resourceVersion: start }))).toEqual(['ADDED one', 'DELETED one', 'ADDED two']);
    expect(brief(await take(2, { resourceVersion: middle }))).toEqual(['DELETED one', 'ADDED two']);
  });

  it('says when it has begun, before there is any event, and not where it is refused', async () => {
    const begun: string[] = [];
    const open = (name: string, options: EmbeddedWatchOptions) => take(1, { ...options, onOpen: () => void begun.push(name) });
    const first = open('from a version', { resourceVersion: test.api.resourceVersion });
    const second = open('from what exists', { fieldSelector: 'metadata.name=later' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['from a version', 'from what exists']);
    await expect(open('refused', { resourceVersion: 'x' })).rejects.toThrow('invalid syntax');
    await expect(open('refused', { labelSelector: 'a in' })).rejects.toThrow('unable to parse');
    expect(begun).toHaveLength(2);
    await test.api.create(types.configMaps, configMap('later'));
    expect(brief([...(await first), ...(await second)])).toEqual(['ADDED later', 'ADDED later']);
  });

  it('is told when its version is too old', async () => {
    const start = test.api.resourceVersion;
    for (const name of ['one', 'two', 'three']) await test.api.create(types.configMaps, configMap(name));
    await test.api.compact(Number(start) + 2);
    expect(await take(1, { resourceVersion: start })).toEqual([
      {
        type: 'ERROR',
        object: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: `too old resource version: ${start} (${Number(start) + 2})`,
          reason: 'Expired',
          code: 410,
        },
      },
    ]);
    expect(brief(await take(1, { resourceVersion: String(Number(start) + 2) }))).toEqual(['ADDED three']);
  });

  it.each(['live', 'from history'])('adds what begins to match and deletes what no longer does (%s)', async (mode) => {
    await test.api.create(types.configMaps, configMap('one', { metadata: { labels: { a: 'x' } } }));
    const start = test.api.resourceVersion;
    const options = { labelSelector: 'a=y', resourceVersion: start };
    const live = mode === 'live' ? take(4, options) : undefined;
    for (const value of ['y', 'y2', 'y']) await label('one', value);
    await test.api.delete(types.configMaps, ref('one'));
    const events = await (live ?? take(4, options));
    expect(brief(events)).toEqual(['ADDED one', 'DELETED one', 'ADDED one', 'DELETED one']);
    // What leaves is shown as it was last in the selection.
    expect(events[1]?.object.metadata['labels']).toEqual({ a: 'y' });
    expect(events[1]?.object.metadata['resourceVersion']).toBe(String(Number(start) + 2));
  });

  it('sees one namespace only, if that is what it asks for', async () => {
    const events = take(1, { namespace: 'kube-system', resourceVersion: test.api.resourceVersion });
    await test.api.create(types.configMaps, configMap('here'));
    await test.api.create(types.configMaps, configMap('there', { metadata: { namespace: 'kube-system' } }));
    expect(brief(await events)).toEqual(['ADDED there']);
  });

  it('lets a slow watcher read on from the history, and loses nothing', async () => {
    const events: WatchEvent[] = [];
    for await (const event of test.api.watch(types.configMaps, { resourceVersion: test.api.resourceVersion, allowBookmarks: true })) {
      if (event.type === 'BOOKMARK' && events.length === 0)
        // While this body runs, nothing is taken: far more comes than may wait.
        for (let index = 0; index < 100; index += 1) await test.api.create(types.configMaps, configMap(`item-${index}`));
      if (event.type !== 'BOOKMARK') events.push(event);
      if (events.length === 100) break;
    }
    expect(brief(events)).toEqual(Array.from({ length: 100 }, (_, index) => `ADDED item-${index}`));
  });

  it('sends bookmarks and ends in time', async () => {
    const events = await take(1_000, { resourceVersion: test.api.resourceVersion, allowBookmarks: true, timeoutSeconds: 0.1 });
    expect(events.length).toBeGreaterThan(1);
    expect(events.at(-1)).toEqual({
      type: 'BOOKMARK',
      object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: test.api.resourceVersion, creationTimestamp: null } },
    });
  });

  it('marks the end of what exists for those who ask', async () => {
    await test.api.create(types.configMaps, configMap('one'));
    const events = await take(2, { sendInitialEvents: true, allowBookmarks: true });
    expect(events.map((event) => event.type)).toEqual(['ADDED', 'BOOKMARK']);
    expect(events[1]?.object.metadata['annotations']).toEqual({ 'k8s.io/initial-events-end': 'true' });
  });

  it('ends with its signal, and with the API', async () => {
    const controller = new AbortController();
    const first = take(1, { signal: controller.signal, resourceVersion: test.api.resourceVersion });
    const second = take(1, { resourceVersion: test.api.resourceVersion });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await first).toEqual([]);
    await test.reopen();
    expect(await second).toEqual([]);
  });

  it('gives all watchers the same object and text', async () => {
    const watches = [take(1, { resourceVersion: test.api.resourceVersion }), take(1, { resourceVersion: test.api.resourceVersion })];
    await new Promise((resolve) => setImmediate(resolve));
    await test.api.create(types.configMaps, configMap('shared'));
    const [first, second] = (await Promise.all(watches)).map(([event]) => event?.object);
    expect(first).toBe(second);
  });
});
