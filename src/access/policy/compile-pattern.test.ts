import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../test/support/seeded-random.ts';
import { compilePattern as compileGoPattern } from '../../template/index.ts';
import { compilePattern } from './compile-pattern.ts';

const test = (pattern: string, text: string): boolean | undefined => compilePattern(pattern, 'regex', false)?.matches(text);

describe('a regular expression of a policy', () => {
  it.each([
    ['(?i)^SHOP/', 'shop/x', true],
    [String.raw`\Ashop/\z`, 'shop/', true],
    ['^[[:alpha:]]+/x$', 'shop/x', true],
    [String.raw`^shop/\pL+$`, 'shop/été', true],
    ['^shop/.$', 'shop/\u2028', true],
    ['^shop/.$', 'shop/\n', false],
    ['^shop/.$', 'shop/😀', true],
    ['shop/(?P<name>a|b)$', 'shop/b', true],
    ['^shop$', 'shop\n', false],
  ])('is read as Go reads it: %s', (pattern, text, expected) => {
    expect(test(pattern, text)).toBe(expected);
  });

  it.each(['(', 'a**', '[z-a]', String.raw`(a)\1`, '(?=a)', '(?<!a)b', 'a{2000}'])('is refused where Go refuses it: %s', (pattern) => {
    expect(compilePattern(pattern, 'regex', false)).toBeUndefined();
  });

  it('means the same to both engines', () => {
    const random = new SeededRandom(20_261_115);
    const parts = ['a', 'b', '/', '-', '.', '[ab]', '[^a]', '(a|b/)', '(a|)', '^', '$', String.raw`\.`, '.*', 'a+', 'b?', '|'];
    let asked = 0;
    for (let round = 0; round < 3_000; round += 1) {
      const pattern = Array.from({ length: 1 + random.below(6) }, () => random.pick(parts)).join('');
      const text = Array.from({ length: random.below(8) }, () => random.pick(['a', 'b', '/', '-', '.', 'c'])).join('');
      let expected: boolean | undefined;
      try {
        expected = compileGoPattern(pattern)(text);
      } catch {
        expected = undefined;
      }
      expect({ pattern, text, found: test(pattern, text) }).toEqual({ pattern, text, found: expected });
      asked += expected === undefined ? 0 : 1;
    }
    expect(asked).toBeGreaterThan(2_000);
  });

  it('DOS-08: takes a time that is bounded for texts of any length, also where it is a plain one', () => {
    const startMs = performance.now();
    for (const text of [`dev-${'dev-/'.repeat(1_000)}`, `dev-${'dev-/'.repeat(100_000)}`]) {
      expect(test('dev-.*/.*-api', text)).toBe(false);
      expect(compilePattern('dev-.*/.*-api', 'regex', true)?.matches(text)).toBeTypeOf('boolean');
    }
    expect(performance.now() - startMs).toBeLessThan(10_000);
    expect(test('dev-.*/.*-api', `dev-${'x'.repeat(1_000)}/shop-api`)).toBe(true);
  });

  it('DOS-08: takes no longer for choices one after the other, which whoever edits a project may write', () => {
    const startMs = performance.now();
    const some = [16, 13, 8, 3].map((count, repeats) => `${'(a|a)'.repeat(count)}${'.*a'.repeat(repeats)}`);
    for (const choices of ['(a|a)'.repeat(40), '((a|a)(a|a|a))'.repeat(20), '(|a)'.repeat(50), 'x|(a|a)'.repeat(40), ...some])
      expect(test(`^mine/${choices}!$`, `mine/${'a'.repeat(200)}`)).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(10_000);
    expect(test('^(dev|stage|prod)-(shop|pay)/.*$', 'stage-pay/api')).toBe(true);
    expect(test('^(a|b)(a|b)(a|b)(a|b)/x$', 'abba/x')).toBe(true);
    expect(test('^(a|b)(a|b)(a|b)(a|b)/x$', 'abca/x')).toBe(false);
  });

  it('is asked quickly where it is a choice among many, as a list of teams is', () => {
    const teams = Array.from({ length: 60 }, (_unused, at) => `team-${at}`).join('|');
    const pattern = compilePattern(`^(${teams})/.*$`, 'regex', false);
    const startMs = performance.now();
    let found = 0;
    for (let round = 0; round < 300_000; round += 1) if (pattern?.matches(`team-${round % 120}/app`) === true) found += 1;
    expect(found).toBe(150_000);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });
});
