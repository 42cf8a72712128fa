import { describe, expect, it } from 'vitest';
import { askedRevisions } from './asked-revisions.ts';

describe('revisions that are asked for', () => {
  it('are of the first source, of those at their positions, or of all in their order', () => {
    expect(askedRevisions({}, 2)).toEqual(['', '']);
    expect(askedRevisions({ revision: 'v1' }, 2)).toEqual(['v1', '']);
    expect(askedRevisions({ revisions: ['v2'], sourcePositions: [2] }, 2)).toEqual(['', 'v2']);
    expect(askedRevisions({ revision: 'v1', revisions: ['v2'], sourcePositions: [2] }, 2)).toEqual(['v1', 'v2']);
    expect(askedRevisions({ revisions: ['b', 'a'], sourcePositions: [2, 1] }, 2)).toEqual(['a', 'b']);
    expect(askedRevisions({ revisions: ['a', 'b'] }, 2)).toEqual(['a', 'b']);
    expect(askedRevisions({ revisions: ['', 'b'] }, 2)).toEqual(['', 'b']);
  });

  it.each([
    ['fewer revisions than sources', { revisions: ['a'] }],
    ['more revisions than sources', { revisions: ['a', 'b', 'c'] }],
    ['positions without revisions', { sourcePositions: [1] }],
    ['more revisions than positions', { revisions: ['a', 'b'], sourcePositions: [1] }],
    ['a position twice', { revisions: ['a', 'b'], sourcePositions: [1, 1] }],
    ['a position that is not there', { revisions: ['a'], sourcePositions: [3] }],
  ])('RBAC-25: are refused with %s', (_what, asked) => {
    expect(() => askedRevisions(asked, 2)).toThrow(expect.objectContaining({ code: 3 }));
  });
});
