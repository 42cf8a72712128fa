import { describe, expect, it } from 'vitest';
import { createRandom, randomEdit, randomObject } from '../../../../test/support/random-objects.ts';
import type { JsonObject, JsonValue } from '../../json-value.ts';
import { builtinSchema } from '../../schema/index.ts';
import type { Schema } from '../../schema/index.ts';
import { PatchError } from '../patch-error.ts';
import { applyStrategicMergePatch, createStrategicMergePatch, createThreeWayStrategicMergePatch } from './strategic-merge-patch.ts';

const pod = schemaOf('v1', 'Pod');
const deployment = schemaOf('apps/v1', 'Deployment');

function schemaOf(apiVersion: string, kind: string): Schema {
  const schema = builtinSchema(apiVersion, kind);
  if (schema === undefined) throw new Error(`no schema for ${kind}`);
  return schema;
}

function refusal(action: () => unknown): { status: number; message: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof PatchError) return { status: error.status, message: error.message };
    throw error;
  }
  throw new Error('it was not refused');
}

const containers = (...list: JsonValue[]): JsonObject => ({ spec: { containers: list } });
const metadata = (fields: JsonObject): JsonObject => ({ metadata: fields });

describe('a strategic merge patch', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'merges a list by its key',
      containers({ name: 'a', image: '1' }, { name: 'b', image: '1' }),
      containers({ name: 'b', image: '2' }),
      containers({ name: 'a', image: '1' }, { name: 'b', image: '2' }),
    ],
    [
      'puts new elements before those that it does not name',
      containers({ name: 'a' }),
      containers({ name: 'b' }),
      containers({ name: 'b' }, { name: 'a' }),
    ],
    [
      'deletes an element',
      containers({ name: 'a' }, { name: 'b' }),
      containers({ name: 'a', $patch: 'delete' }),
      containers({ name: 'b' }),
    ],
    [
      'replaces a list',
      containers({ name: 'a' }, { name: 'b' }),
      containers({ name: 'c' }, { $patch: 'replace' }),
      containers({ name: 'c' }),
    ],
    ['replaces an object', metadata({ name: 'a', uid: 'u' }), metadata({ $patch: 'replace', name: 'b' }), metadata({ name: 'b' })],
    ['empties an object', metadata({ name: 'a' }), metadata({ $patch: 'delete' }), metadata({})],
    [
      'deletes by null',
      metadata({ name: 'a', labels: { x: '1', y: '2' } }),
      metadata({ labels: { x: null } }),
      metadata({ name: 'a', labels: { y: '2' } }),
    ],
    [
      'adds to a list of texts',
      metadata({ finalizers: ['a', 'b'] }),
      metadata({ finalizers: ['c', 'a'] }),
      metadata({ finalizers: ['c', 'a', 'b'] }),
    ],
    [
      'removes from a list of texts',
      metadata({ finalizers: ['a', 'b', 'c'] }),
      metadata({ '$deleteFromPrimitiveList/finalizers': ['a', 'c'] }),
      metadata({ finalizers: ['b'] }),
    ],
    [
      'orders a list, and keeps what it does not name near where it was',
      containers({ name: 'a' }, { name: 'b' }, { name: 'c' }),
      { spec: { '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }], containers: [{ name: 'a', image: '2' }] } },
      containers({ name: 'b' }, { name: 'c' }, { name: 'a', image: '2' }),
    ],
    [
      'retains only the keys that it names',
      { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
      { spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] } },
      { spec: { volumes: [{ name: 'v', hostPath: { path: '/x' } }] } },
    ],
    [
      'replaces a list without a merge key',
      { spec: { tolerations: [{ key: 'a' }] } },
      { spec: { tolerations: [{ key: 'b' }] } },
      { spec: { tolerations: [{ key: 'b' }] } },
    ],
  ])('%s', (_, document, patch, expected) => {
    expect(applyStrategicMergePatch(document, patch, pod)).toEqual(expected);
  });

  it.each<[string, JsonObject, JsonValue, { status: number; message: string }]>([
    [
      'without a merge key',
      containers({ name: 'a' }),
      containers({ image: 'x', args: ['1', '2'] }),
      { status: 500, message: 'map: map[args:[1 2] image:x] does not contain declared merge key: name' },
    ],
    [
      'with an unknown directive',
      metadata({ name: 'a' }),
      metadata({ $patch: 'merge' }),
      { status: 500, message: 'unknown patch type: merge in map: map[$patch:merge]' },
    ],
    ['that is no object', {}, [], { status: 400, message: 'invalid JSON document' }],
    [
      'with fields that it does not retain',
      { spec: { volumes: [{ name: 'v' }] } },
      { spec: { volumes: [{ name: 'v', $retainKeys: ['name'], emptyDir: {} }] } },
      { status: 400, message: 'invalid patch format of retainKeys' },
    ],
    ['with an order for no field', {}, { $setElementOrder: [] }, { status: 400, message: 'invalid patch format of setElementOrder list' }],
    [
      'of an object that the schema does not know',
      { extra: { a: 1 } },
      { extra: { a: 2 } },
      { status: 500, message: 'unable to find api field "extra"' },
    ],
  ])('%s is refused', (_, document, patch, expected) => {
    expect(refusal(() => applyStrategicMergePatch(document, patch, pod))).toEqual(expected);
  });

  it('made of two objects turns one into the other, and changes neither', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const random = createRandom(seed);
      const before = deepFreeze(randomEdit(random, randomObject(random, deployment), deployment));
      const after = deepFreeze(randomEdit(random, before, deployment));
      const patch = deepFreeze(createStrategicMergePatch(before, after, deployment));
      expect(applyStrategicMergePatch(before, patch, deployment)).toEqual(after);
      expect(createStrategicMergePatch(before, before, deployment)).toEqual({});
    }
  });

  it('keeps __proto__ as a key like any other', () => {
    const patch = JSON.parse('{"metadata":{"labels":{"__proto__":"x"}}}') as JsonObject;
    const result = applyStrategicMergePatch(metadata({ labels: { a: '1' } }), patch, pod);
    expect(JSON.stringify(result)).toBe('{"metadata":{"labels":{"a":"1","__proto__":"x"}}}');
  });

  it('of a long list is merged in a moment', () => {
    const list = Array.from({ length: 50_000 }, (_, index) => ({ name: `c${index}` }));
    const result = applyStrategicMergePatch(containers(...list), containers(...list.toReversed()), pod);
    expect(result).toEqual(containers(...list.toReversed()));
  }, 5_000);
});

describe('a three-way strategic merge patch', () => {
  const lastApplied = {
    spec: {
      replicas: 1,
      template: {
        spec: {
          containers: [
            { name: 'web', image: '1' },
            { name: 'old', image: '1' },
          ],
        },
      },
    },
  };
  const modified = { spec: { template: { spec: { containers: [{ name: 'web', image: '2' }] } } } };
  const live = {
    spec: {
      replicas: 5,
      strategy: { type: 'RollingUpdate' },
      template: {
        spec: {
          containers: [{ name: 'web', image: '1', terminationMessagePath: '/x' }, { name: 'old' }, { name: 'injected', image: 'i' }],
        },
      },
    },
  };

  it('is the one that kubectl sends', () => {
    const patch = createThreeWayStrategicMergePatch({ lastApplied, modified, live }, deployment);
    expect(patch).toEqual({
      spec: {
        replicas: null,
        template: {
          spec: {
            '$setElementOrder/containers': [{ name: 'web' }],
            containers: [
              { name: 'web', image: '2' },
              { name: 'old', $patch: 'delete' },
            ],
          },
        },
      },
    });
    expect(applyStrategicMergePatch(live, patch, deployment)).toEqual({
      spec: {
        strategy: { type: 'RollingUpdate' },
        template: {
          spec: {
            containers: [
              { name: 'web', image: '2', terminationMessagePath: '/x' },
              { name: 'injected', image: 'i' },
            ],
          },
        },
      },
    });
  });

  it('is empty where nothing is to be done', () => {
    const defaulted = { spec: { replicas: 1, template: { spec: { containers: [{ name: 'web', image: '2', tty: false }] } } } };
    expect(createThreeWayStrategicMergePatch({ lastApplied: modified, modified, live: defaulted }, deployment)).toEqual({});
  });

  it('names the kept keys of a union that changes its kind', () => {
    const recreate = { spec: { strategy: { type: 'Recreate' } } };
    const rolling = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } };
    const patch = createThreeWayStrategicMergePatch({ lastApplied: {}, modified: recreate, live: rolling }, deployment);
    expect(patch).toEqual({ spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } });
    expect(applyStrategicMergePatch(rolling, patch, deployment)).toEqual(recreate);
  });
});

function deepFreeze<Value extends JsonValue>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach((member: JsonValue) => deepFreeze(member));
  return value;
}
