import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import { removePointers } from './ignore-differences.ts';

const object = (data: JsonObject): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...data }) as KubeObject;
const remove = (data: JsonObject, ...pointers: readonly string[]): JsonObject => {
  const {
    apiVersion: _version,
    kind: _kind,
    metadata: _metadata,
    ...rest
  } = removePointers(object(data), pointers) as unknown as JsonObject & {
    metadata: JsonValue;
  };
  return rest;
};

describe('JSON pointers', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['/data/a~1b', { data: { 'a/b': 1, c: 2 } }, { data: { c: 2 } }],
    ['/data/a~0b', { data: { 'a~b': 1, c: 2 } }, { data: { c: 2 } }],
    ['/data/a~01b', { data: { 'a~1b': 1, 'a/b': 2 } }, { data: { 'a/b': 2 } }],
    ['/list/1', { list: [1, 2, 3] }, { list: [1, 3] }],
    ['/list/0/a', { list: [{ a: 1, b: 2 }] }, { list: [{ b: 2 }] }],
    ['/data/', { data: { '': 1, a: 2 } }, { data: { a: 2 } }],
  ])('%s takes away what it names', (pointer, before, after) => {
    expect(remove(before, pointer)).toEqual(after);
  });

  it('JQ-02 that name nothing that can be there do nothing, however long they are', () => {
    const data = { data: { a: '1' }, list: [1, 2] };
    const odd = [
      '',
      'data',
      '/',
      '~',
      '/~',
      '/data/~2',
      '/list/-',
      '/list/4000000000',
      '/list/-1',
      '/list/1e0',
      '/list/01',
      '/data/__proto__',
      '/__proto__/x',
    ];
    const startedMs = performance.now();
    expect(remove(data, ...odd, '/a'.repeat(10_000), `/data${'/a'.repeat(100_000)}`)).toEqual(data);
    let deep: JsonObject = { end: 1 };
    for (let level = 0; level < 900; level++) deep = { a: deep };
    remove({ deep }, `/deep${'/a'.repeat(10_000)}`);
    expect(({} as JsonObject)['polluted']).toBeUndefined();
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});
