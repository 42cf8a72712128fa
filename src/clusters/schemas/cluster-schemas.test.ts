import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { createLogger, systemTimers } from '../../base/index.ts';
import type { KubeApi } from '../../kube/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { SchemaStore } from './cluster-schemas.ts';

const widget = { group: 'example.com', version: 'v1', kind: 'Widget' };

function describeWidget(listType: string): JsonObject {
  return {
    paths: { '/apis/example.com/v1/widgets': { get: {} } },
    components: {
      schemas: {
        'com.example.v1.Widget': {
          description: 'A long story.',
          type: 'object',
          properties: {
            // A field may have any name.
            description: { type: 'string', default: 'none', description: 'Told to people.' },
            parts: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': listType },
          },
          'x-kubernetes-group-version-kind': [widget],
        },
      },
    },
  };
}

class Api {
  hashes: ReadonlyMap<string, string> = new Map([['example.com/v1', 'one']]);
  document: JsonObject | undefined = describeWidget('set');
  failure: Error | undefined;
  documentFailure: Error | undefined;
  readonly calls: string[] = [];

  openApiHashes(): ReadonlyMap<string, string> {
    this.calls.push('hashes');
    if (this.failure !== undefined) throw this.failure;
    return this.hashes;
  }

  openApi(groupVersion: string): Promise<JsonObject | undefined> {
    this.calls.push(groupVersion);
    return this.documentFailure === undefined ? Promise.resolve(this.document) : Promise.reject(this.documentFailure);
  }
}

function open(api: Api): { readonly store: SchemaStore; readonly pass: (ms: number) => void } {
  let nowMs = 0;
  const store = new SchemaStore({
    connect: () => api as unknown as KubeApi,
    server: () => 'https://example.com',
    callMs: 5_000,
    timers: { ...systemTimers, nowMs: () => nowMs },
    log: createLogger({ level: 'error', format: 'text', write: () => undefined }),
  });
  return { store, pass: (ms) => void (nowMs += ms) };
}

describe('The schemas of a cluster', () => {
  it('are read when first asked for, and once', async () => {
    const api = new Api();
    const { store } = open(api);
    const [schemaOf] = await Promise.all([store.load([widget]), store.load([widget])]);
    const schema = schemaOf(widget);
    expect(schema?.properties?.get('parts')?.listType).toBe('set');
    expect(schema?.properties?.get('description')).toMatchObject({ type: 'string', default: 'none' });
    await store.load([widget]);
    expect(api.calls).toEqual(['hashes', 'example.com/v1']);
    expect(schemaOf({ ...widget, kind: 'Other' })).toBeUndefined();
  });

  it('stay the same objects as long as the cluster says that nothing changed, and are read again when it did', async () => {
    const api = new Api();
    const { store } = open(api);
    const before = (await store.load([widget]))(widget);
    store.expire();
    expect((await store.load([widget]))(widget)).toBe(before);
    api.hashes = new Map([['example.com/v1', 'two']]);
    api.document = describeWidget('atomic');
    store.expire();
    expect((await store.load([widget]))(widget)?.properties?.get('parts')?.listType).toBe('atomic');
    expect(api.calls).toEqual(['hashes', 'example.com/v1', 'hashes', 'hashes', 'example.com/v1']);
  });

  it('are shared by clusters that say the same, whatever they call it', async () => {
    const [one, other] = [new Api(), new Api()];
    other.hashes = new Map([['example.com/v1', 'another name']]);
    const [first, second] = [await open(one).store.load([widget]), await open(other).store.load([widget])];
    expect(first(widget)).toBe(second(widget));
    const liar = new Api();
    liar.document = describeWidget('map');
    expect((await open(liar).store.load([widget]))(widget)?.properties?.get('parts')?.listType).toBe('map');
    expect(first(widget)?.properties?.get('parts')?.listType).toBe('set');
  });

  it('are asked for again soon after kinds changed, and seldom later', async () => {
    const api = new Api();
    api.hashes = new Map();
    api.document = undefined;
    const { store, pass } = open(api);
    expect((await store.load([widget]))(widget)).toBeUndefined();
    Object.assign(api, { hashes: new Map([['example.com/v1', 'one']]), document: describeWidget('set') });
    pass(2_000);
    expect((await store.load([widget]))(widget)).toBeDefined();
    const before = api.calls.length;
    for (let second = 0; second < 3_600; second++) {
      pass(1_000);
      await store.load([widget]);
    }
    expect(api.calls.length - before).toBeLessThan(15);
  });

  it('are waited for a while where kinds have just changed', async () => {
    const api = new Api();
    const { store } = open(api);
    api.hashes = new Map();
    api.document = undefined;
    store.expire();
    const loading = store.load([widget, { group: '', version: 'v1', kind: 'Pod' }]);
    await waitUntil(() => api.calls.length > 2);
    Object.assign(api, { hashes: new Map([['example.com/v1', 'one']]), document: describeWidget('set') });
    expect((await loading)(widget)).toBeDefined();
  });

  it('are missing where the cluster does not say, and what was known stays', async () => {
    const api = new Api();
    const { store, pass } = open(api);
    api.failure = new Error('no');
    expect((await store.load([widget]))(widget)).toBeUndefined();
    api.failure = undefined;
    pass(30_000);
    expect((await store.load([widget]))(widget)).toBeDefined();
    api.failure = new Error('no');
    store.expire();
    expect((await store.load([widget]))(widget)).toBeDefined();
  });

  it('that could not be read are asked for again after a while, and not before', async () => {
    const api = new Api();
    const { store, pass } = open(api);
    const reads = (): number => api.calls.filter((call) => call !== 'hashes').length;
    api.documentFailure = new Error('no');
    expect((await store.load([widget]))(widget)).toBeUndefined();
    api.documentFailure = undefined;
    pass(29_000);
    expect((await store.load([widget]))(widget)).toBeUndefined();
    expect(reads()).toBe(1);
    pass(1_000);
    expect((await store.load([widget]))(widget)).toBeDefined();
    expect(reads()).toBe(2);
    // The same where it changed: what was known stays until the new one can be read.
    Object.assign(api, {
      hashes: new Map([['example.com/v1', 'two']]),
      document: describeWidget('atomic'),
      documentFailure: new Error('no'),
    });
    store.expire();
    const listType = async (): Promise<string | undefined> => (await store.load([widget]))(widget)?.properties?.get('parts')?.listType;
    expect(await listType()).toBe('set');
    api.documentFailure = undefined;
    pass(30_000);
    expect(await listType()).toBe('atomic');
    expect(reads()).toBe(4);
  });
});
