import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import type { JsonValue } from './json-value.ts';
import { sameJson } from './same-json.ts';

const throughJson = (value: unknown): string => canonicalJson((JSON.parse(JSON.stringify(value)) ?? null) as JsonValue);

/** Few names and values, so that equal ones are drawn often. */
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, '', 'a'),
    fc.array(fc.oneof(tie('tree'), fc.constant(undefined)), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'toString'), fc.oneof(tie('tree'), fc.constant(undefined)), { maxKeys: 3 }),
  ),
}));

it('says what comparing the JSON of both says', () => {
  fc.assert(
    fc.property(tree, tree, (left, right) => sameJson(left, right) === (throughJson(left) === throughJson(right))),
    { numRuns: 3_000 },
  );
  fc.assert(fc.property(tree, (value) => sameJson(value, JSON.parse(JSON.stringify(value)))));
});

it('takes a field that is undefined for one that is not there, and no inherited one for its own', () => {
  expect(sameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
  expect(sameJson({ a: 1 }, { a: 1, b: undefined, c: { d: undefined } })).toBe(false);
  expect(sameJson({ toString: undefined }, {})).toBe(true);
  expect(sameJson({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })).toBe(false);
  expect(sameJson([], {})).toBe(false);
});
