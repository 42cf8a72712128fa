import { describe, expect, it } from 'vitest';
import { changedFields } from './preview-set.ts';

describe('the fields that differ', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, []],
    [{ a: { b: 1, c: [1] } }, { a: { b: 2, c: [1, 2] } }, ['a.b', 'a.c']],
    [{ a: 1 }, { b: 1 }, ['a', 'b']],
    [undefined, { a: 1 }, ['']],
  ])('are named', (before, after, fields) => expect(changedFields(before, after)).toEqual(fields));
});
