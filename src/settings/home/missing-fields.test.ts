import { expect, it } from 'vitest';
import type { JsonObject } from '../../objects/index.ts';
import { missingFields } from './missing-fields.ts';

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const text = { type: 'string' };

it.each<[string, JsonObject, JsonObject, string[]]>([
  ['the same', object({ spec: object({ a: text }) }), object({ spec: object({ a: text, b: text }) }), []],
  ['a field', object({ spec: object({ a: text, b: text }) }), object({ spec: object({ a: text }) }), ['.spec.b']],
  ['all below a field', object({ spec: object({ a: object({ b: text }) }) }), object({ spec: object({}) }), ['.spec.a']],
  [
    'a field of what is in a list',
    object({ spec: { type: 'array', items: object({ a: text }) } }),
    object({ spec: { type: 'array', items: object({}) } }),
    ['.spec[].a'],
  ],
  [
    'a field of what is in a map',
    object({ spec: { type: 'object', additionalProperties: object({ a: text }) } }),
    object({ spec: { type: 'object', additionalProperties: object({}) } }),
    ['.spec.*.a'],
  ],
  [
    'nothing that is kept anyway',
    object({ spec: object({ a: text }) }),
    object({ spec: { 'x-kubernetes-preserve-unknown-fields': true } }),
    [],
  ],
  ['nothing that a map has room for', object({ spec: object({ a: text }) }), object({ spec: { additionalProperties: text } }), []],
  ['nothing of what every object has', object({ kind: text, metadata: text }), object({}), []],
])('finds that %s', (_name, wanted, present, expected) => {
  expect(missingFields(wanted, present)).toEqual(expected);
});
