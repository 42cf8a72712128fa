import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob, matchesGlobOrNegation } from './glob.ts';

describe('A pattern', () => {
  it.each([
    ['*', 'anything/at/all', true],
    ['*', '', true],
    ['a*c', 'abbbc', true],
    ['a*c', 'ab', false],
    ['?b', 'ab', true],
    ['?b', 'b', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a]x', 'bx', true],
    ['{one,two}-*', 'two-x', true],
    ['{one,two}-*', 'three-x', false],
    ['{a,{b,c}}d', 'cd', true],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['', '', true],
    ['', 'a', false],
    ['ü?', 'ü🚢', true],
    ['[a', 'a', false],
    ['{a', '{a', false],
    ['a\\', 'a\\', false],
  ])('%j on %j: %s', (pattern, text, matches) => expect(matchesGlob(pattern, text)).toBe(matches));

  it.each([
    ['https://git.example.com/*', 'https://git.example.com/team', true],
    ['https://git.example.com/*', 'https://git.example.com/team/app', false],
    ['https://git.example.com/**', 'https://git.example.com/team/app', true],
    ['a?b', 'a/b', false],
  ])('%j with slashes on %j: %s', (pattern, text, matches) => expect(matchesGlob(pattern, text, { separator: '/' })).toBe(matches));

  it('with ! in front matches what the rest does not', () => {
    expect(matchesGlobOrNegation('!kube-*', 'kube-system')).toBe(false);
    expect(matchesGlobOrNegation('!kube-*', 'default')).toBe(true);
  });

  it('without special characters matches itself alone', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '-', 'ü') });
    fc.assert(
      fc.property(text, text, (pattern, other) => {
        expect(matchesGlob(pattern, other)).toBe(pattern === other);
        expect(matchesGlob(pattern, pattern)).toBe(true);
      }),
    );
  });

  it('means what the regular expression of the same form means', () => {
    const pattern = fc.array(fc.constantFrom('a', 'b', '*', '**', '?', '[ab]'), { maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 10 });
    const forms: Readonly<Record<string, string>> = { '*': '.*', '**': '.*', '?': '.' };
    fc.assert(
      fc.property(pattern, text, (parts, subject) => {
        const expected = new RegExp(`^${parts.map((part) => forms[part] ?? part).join('')}$`).test(subject);
        expect(matchesGlob(parts.join(''), subject)).toBe(expected);
        // Without a slash in the text, both ways to match have to agree.
        expect(matchesGlob(parts.join(''), subject, { separator: '/' })).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('takes no longer for being made to take long', () => {
    const startedAt = performance.now();
    expect(matchesGlob('*a'.repeat(300), `${'a'.repeat(3_000)}b`)).toBe(false);
    expect(matchesGlob('{a,b}'.repeat(40), 'x')).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
