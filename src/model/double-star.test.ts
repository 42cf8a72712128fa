import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileDoubleStar } from './double-star.ts';

describe('A pattern of paths', () => {
  it.each([
    ['a/*.yaml', 'a/b.yaml', true],
    ['a/*.yaml', 'a/b/c.yaml', false],
    ['a/**/c.yaml', 'a/c.yaml', true],
    ['a/**/c.yaml', 'a/b/b/c.yaml', true],
    ['a/**/c.yaml', 'b/c.yaml', false],
    ['**/**/c.yaml', 'c.yaml', true],
    ['a/**', 'a/b/c', true],
    ['a/b**c', 'a/bxc', true],
    ['a/b**c', 'a/b/c', false],
    ['./a/*', 'a/b', true],
    ['/a/*', 'a/b', true],
    ['{a,b/c}/*.yaml', 'b/c/d.yaml', true],
    ['{a,b/c}/*.yaml', 'a/d.yaml', true],
    ['{a,b/c}/*.yaml', 'b/d.yaml', false],
    ['{a/**,b}/x', 'a/y/z/x', true],
    ['[!a]/?', 'b/c', true],
    ['[!a]/?', 'a/c', false],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
  ])('%j on %j: %s', (pattern, path, matches) => expect(compileDoubleStar(pattern)?.(path)).toBe(matches));

  it.each([
    ['open braces', '{a'],
    ['an open bracket', 'a/[b'],
    ['too many choices', '{a,b}'.repeat(20)],
    ['too many characters', 'a'.repeat(5_000)],
  ])('with %s cannot be read', (_what, pattern) => expect(compileDoubleStar(pattern)).toBeUndefined());

  it('means what the regular expression of the same form means', () => {
    const segment = fc.constantFrom('a', 'b', '*', '**', 'a*');
    const forms: Readonly<Record<string, string>> = { a: 'a/', b: 'b/', '*': '[^/]*/', '**': '(?:[^/]*/)*', 'a*': 'a[^/]*/' };
    const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), path, (segments, steps) => {
        const expected = new RegExp(`^${segments.map((each) => forms[each]).join('')}$`).test(`${steps.join('/')}/`);
        expect(compileDoubleStar(segments.join('/'))?.(steps.join('/'))).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('takes no longer for being made to take long', () => {
    const startedAt = performance.now();
    const matches = compileDoubleStar(`${'**/a/'.repeat(500)}b`);
    for (let count = 0; count < 1_000; count += 1) expect(matches?.('a/'.repeat(30) + 'c')).toBe(false);
    expect(compileDoubleStar(`${'**/'.repeat(1_000)}b`)?.('a/'.repeat(1_000) + 'c')).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
