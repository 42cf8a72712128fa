import { expect, it } from 'vitest';
import { applyMergePatch } from '../patch/merge-patch.ts';
import type { JsonObject } from '../json-value.ts';
import { pruneCustomObject } from './prune.ts';
import { setDefaults } from './set-defaults.ts';
import { parseStructural } from './structural-schema.ts';
import { validateCustomObject } from './validate-object.ts';

const part: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 5 }, size: { type: 'integer', default: 1 } },
};
const schema = parseStructural({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        parts: { type: 'array', items: part, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
        others: { type: 'object', additionalProperties: part },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { text: { type: 'string' } } },
  },
});

const complete = (object: JsonObject, known?: JsonObject): JsonObject =>
  setDefaults(pruneCustomObject(object, schema, undefined, known).object, schema, known);

const before = complete({
  metadata: { name: 'a' },
  spec: { parts: [{ name: 'one' }, { name: 'two', size: 3 }], others: { x: { name: 'x' } }, free: { any: [{ thing: 1 }] } },
});

it('hands out the same object where there is nothing to drop and nothing to set', () => {
  expect(complete(before)).toBe(before);
});

it.each<[string, JsonObject]>([
  ['a text beside it', { status: { text: 'hello' } }],
  ['an unknown field', { spec: { nothing: 1 } }],
  ['a new part without its default', { spec: { others: { y: { name: 'y', odd: true } } } }],
  ['a part taken away', { spec: { others: { x: null } } }],
  ['a list replaced, with a key twice', { spec: { parts: [{ name: 'one' }, { name: 'one' }] } }],
  ['something wrong', { spec: { others: { x: { name: 'too long' }, z: {} } }, status: { text: 5 } }],
])('comes to the same result with and without what is known: %s', (_title, patch) => {
  const patched = applyMergePatch(before, patch);
  const alone = complete(patched);
  const knowing = complete(patched, before);
  expect(knowing).toEqual(alone);
  expect(pruneCustomObject(patched, schema, undefined, before).unknown).toEqual(pruneCustomObject(patched, schema).unknown);
  expect(validateCustomObject(knowing, schema, { known: before })).toEqual(validateCustomObject(alone, schema));
});

it('does not look at what was accepted before', () => {
  const strange: JsonObject = { spec: { parts: [{ size: 'none', odd: null }] } };
  const changed = { ...strange, status: { text: 'new' } };
  expect(complete(changed, strange)).toBe(changed);
  expect(validateCustomObject(changed, schema, { known: strange })).toEqual([]);
  expect(validateCustomObject(changed, schema)).not.toEqual([]);
});
