import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json-value.ts';
import { applyJsonPatch, parseJsonPatch, PatchError } from './index.ts';

function apply(document: JsonValue, ...operations: readonly JsonValue[]): JsonValue {
  return applyJsonPatch(document, parseJsonPatch(operations));
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

describe('a JSON patch', () => {
  it.each<[string, JsonValue, JsonValue, JsonValue]>([
    ['adds a field', { a: 1 }, { op: 'add', path: '/b', value: 2 }, { a: 1, b: 2 }],
    ['replaces by adding', { a: 1 }, { op: 'add', path: '/a', value: 2 }, { a: 2 }],
    ['inserts into a list', { a: [1, 2] }, { op: 'add', path: '/a/1', value: 9 }, { a: [1, 9, 2] }],
    ['appends to a list', { a: [1] }, { op: 'add', path: '/a/-', value: 2 }, { a: [1, 2] }],
    ['counts from the end', { a: [1, 2] }, { op: 'remove', path: '/a/-1' }, { a: [1] }],
    ['reads ~1 as a slash', { metadata: {} }, { op: 'add', path: '/metadata/a~1b', value: 1 }, { metadata: { 'a/b': 1 } }],
    ['reads ~01 as ~1', { '~1': 1 }, { op: 'remove', path: '/~01' }, {}],
    ['replaces a field that is missing', {}, { op: 'replace', path: '/a', value: 1 }, { a: 1 }],
    ['replaces the document', { a: 1 }, { op: 'replace', path: '', value: { b: 2 } }, { b: 2 }],
    ['moves', { a: { b: 1 } }, { op: 'move', from: '/a/b', path: '/c' }, { a: {}, c: 1 }],
    ['copies', { a: [1] }, { op: 'copy', from: '/a', path: '/b' }, { a: [1], b: [1] }],
    ['tests', { a: { b: [1] } }, { op: 'test', path: '/a', value: { b: [1] } }, { a: { b: [1] } }],
    ['takes null for a missing value', { a: 1 }, { op: 'add', path: '/a' }, { a: null }],
    ['finds null in a missing field', {}, { op: 'test', path: '/a', value: null }, {}],
  ])('%s', (_, document, operation, expected) => {
    expect(apply(document, operation)).toEqual(expected);
  });

  it.each<[JsonValue, JsonValue, string]>([
    [{ a: 1 }, { op: 'remove', path: '/b' }, "error in remove for path: '/b': Unable to remove nonexistent key: b: missing value"],
    [{}, { op: 'add', path: '/a/b', value: 1 }, 'add operation does not apply: doc is missing path: "/a/b": missing value'],
    [
      { a: [1] },
      { op: 'add', path: '/a/2', value: 1 },
      "error in add for path: '/a/2': Unable to access invalid index: 2: invalid index referenced",
    ],
    [{ a: [1] }, { op: 'replace', path: '/a/1', value: 1 }, 'replace operation does not apply: doc is missing key: /a/1: missing value'],
    [{ a: 1 }, { op: 'test', path: '/a', value: 2 }, 'testing value /a failed: test failed'],
    [{ a: 1 }, { op: 'increment', path: '/a' }, 'Unexpected kind: increment'],
    [{ a: 1 }, { op: 'copy', path: '/a' }, 'copy operation failed to decode from: operation, missing from field: missing value'],
  ])('that does not apply to %j is refused with 422: %j', (document, operation, message) => {
    expect(refusal(() => apply(document, operation))).toEqual({ status: 422, message });
  });

  it('that cannot be read is refused with 400, and one that is too long with 413', () => {
    expect(refusal(() => parseJsonPatch({ op: 'add' })).status).toBe(400);
    expect(refusal(() => parseJsonPatch(['add'])).status).toBe(400);
    expect(refusal(() => parseJsonPatch([{ op: 'add', path: 3 }])).status).toBe(400);
    const long = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '' }));
    expect(refusal(() => parseJsonPatch(long))).toEqual({
      status: 413,
      message: 'The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
  });

  it('applies all of its operations or none, and changes no input', () => {
    const document = { a: { b: [1] } };
    const value = { c: [] };
    expect(() => apply(document, { op: 'add', path: '/a/b/-', value: 2 }, { op: 'test', path: '/a', value: 0 })).toThrow(PatchError);
    const result = apply(
      document,
      { op: 'add', path: '/d', value },
      { op: 'add', path: '/d/c/-', value: 1 },
      { op: 'remove', path: '/a/b/0' },
    );
    expect(result).toEqual({ a: { b: [] }, d: { c: [1] } });
    expect([document, value]).toEqual([{ a: { b: [1] } }, { c: [] }]);
  });

  it('keeps a copy apart from what it was copied from', () => {
    const operations = [
      { op: 'add', path: '/a/x', value: 1 },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/y', value: 2 },
      { op: 'add', path: '/a/z', value: 3 },
    ];
    expect(apply({ a: {} }, ...operations)).toEqual({ a: { x: 1, z: 3 }, b: { x: 1, y: 2 } });
  });

  it('cannot copy the document into itself until the memory is full', () => {
    const doublings = Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '/a', path: `/a/${index}` }));
    expect(refusal(() => apply({ a: { text: 'x'.repeat(100) } }, ...doublings)).message).toMatch(/^Unable to complete the copy/);
  });

  it('has a field called __proto__ like any other', () => {
    const result = apply(JSON.parse('{"a":{}}') as JsonValue, { op: 'add', path: '/a/__proto__', value: { polluted: true } });
    expect(JSON.stringify(result)).toBe('{"a":{"__proto__":{"polluted":true}}}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(refusal(() => apply({}, { op: 'remove', path: '/constructor' })).status).toBe(422);
  });
});
