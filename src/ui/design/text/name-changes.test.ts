import { describe, expect, it } from 'vitest';
import { nameChanges } from './name-changes.ts';

describe('the fields that differ', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, ''],
    [{ a: { b: 1, c: [1] } }, { a: { b: 2, c: [1, 2] } }, 'a.b, a.c'],
    [{ a: 1 }, { b: 1 }, 'a, b'],
    [{}, { a: 1, b: 1, c: 1, d: 1, e: 1 }, 'a, b, c and 2 more'],
  ])('are named', (before, after, named) => expect(nameChanges(before, after)).toBe(named));
});
