import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatIndexes, parseIndexes } from './completion-indexes.ts';

describe('completed indexes', () => {
  it.each([
    [[], ''],
    [[3], '3'],
    [[0, 1], '0,1'],
    [[0, 1, 2, 5, 7, 8, 9], '0-2,5,7-9'],
  ])('%j are written as %j', (indexes, text) => {
    expect(formatIndexes(new Set(indexes))).toBe(text);
  });

  it('read back as they were', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(200)), (indexes) => {
        expect(new Set(parseIndexes(formatIndexes(new Set(indexes))))).toEqual(new Set(indexes));
      }),
    );
  });
});
