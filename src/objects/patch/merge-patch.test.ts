import { array, assert, boolean, constantFrom, dictionary, integer, letrec, oneof, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { applyMergePatch, createMergePatch, createThreeWayMergePatch } from './index.ts';

const names = constantFrom('a', 'b', 'c', '__proto__', 'constructor');
const { object } = letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: oneof(
    { maxDepth: 4 },
    integer({ min: 0, max: 3 }),
    boolean(),
    constantFrom('', 'x'),
    array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

describe('a merge patch', () => {
  it.each<[string, JsonObject, JsonValue, JsonObject]>([
    ['merges objects', { a: { b: 1, c: 2 } }, { a: { b: 3 } }, { a: { b: 3, c: 2 } }],
    ['removes by null', { a: 1, b: 2 }, { a: null, c: null }, { b: 2 }],
    ['replaces lists', { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ['leaves nulls out of what it adds', {}, { a: { b: null, c: [{ d: null }] } }, { a: { c: [{}] } }],
    ['turns an object into a list as it is', { a: {} }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ])('%s', (_, document, patch, expected) => {
    expect(applyMergePatch(document, patch)).toEqual(expected);
  });

  it('must be an object', () => {
    expect(() => applyMergePatch({}, [])).toThrow('Invalid JSON Patch');
    expect(() => applyMergePatch({}, null)).toThrow('Invalid JSON Patch');
  });

  it('made of two objects turns one into the other', () => {
    assert(
      property(object, object, (before, after) => {
        expect(applyMergePatch(before, createMergePatch(before, after))).toEqual(after);
      }),
    );
  });

  it('made of the same object twice is empty', () => {
    assert(
      property(object, (same) => {
        expect(createMergePatch(same, same)).toEqual({});
      }),
    );
  });

  it('applied twice is the same as applied once', () => {
    assert(
      property(object, object, (document, patch) => {
        const once = applyMergePatch(document, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
      }),
    );
  });
});

describe('a three-way merge patch', () => {
  const lastApplied = { data: { a: '1', b: '2' }, spec: { x: 1 } };

  it('removes what was applied and is no longer wanted, and keeps what others added', () => {
    const modified = { data: { a: '3' } };
    const live = { data: { a: '1', b: '2', other: 'kept' }, spec: { x: 1 }, status: {} };
    const patch = createThreeWayMergePatch({ lastApplied, modified, live });
    expect(patch).toEqual({ data: { a: '3', b: null }, spec: null });
    expect(applyMergePatch(live, patch)).toEqual({ data: { a: '3', other: 'kept' }, status: {} });
  });

  it('undoes what others changed', () => {
    expect(createThreeWayMergePatch({ lastApplied, modified: lastApplied, live: { data: { a: 'x', b: '2' }, spec: { x: 1 } } })).toEqual({
      data: { a: '1' },
    });
  });

  it('makes everything wanted true', () => {
    assert(
      property(object, object, object, (before, modified, live) => {
        const result = applyMergePatch(live, createThreeWayMergePatch({ lastApplied: before, modified, live }));
        expect(applyMergePatch(result, modified)).toEqual(result);
      }),
    );
  });
});
