import { describe, expect, it } from 'vitest';
import { createGlob } from './glob.ts';

describe('a glob over paths', () => {
  it.each([
    ['*.yaml', 'a/b.yaml', true],
    ['*.yaml', 'a.yml', false],
    ['{config.yaml,env-usw2/*}', 'env-usw2/a/b.yaml', true],
    ['{config.yaml,env-usw2/*}', 'config.yaml', true],
    ['{config.yaml,env-usw2/*}', 'other.yaml', false],
    ['a{b,c{d,e}}f', 'acef', true],
    ['a{b,c{d,e}}f', 'acf', false],
    ['{a,}b', 'b', true],
    ['?.y[am]ml', 'x.yaml', true],
    ['[!a-c].json', 'd.json', true],
    ['[!a-c].json', 'b.json', false],
    ['**/x.yaml', 'a/x.yaml', true],
    ['\\*.yaml', '*.yaml', true],
    ['\\*.yaml', 'a.yaml', false],
    ['', '', true],
    ['a*b*c', 'aXbXbXc', true],
    ['{a', 'a', false],
    ['a}', 'a}', false],
    ['[', '[', false],
    ['a\\', 'a', false],
  ])('%s and %s: %s', (pattern, text, isMatch) => expect(createGlob(pattern)(text)).toBe(isMatch));

  it('takes no longer for a hostile pattern', () => {
    expect(createGlob(`${'*a'.repeat(1000)}b`)('a'.repeat(10_000))).toBe(false);
    expect(createGlob('{a,b}'.repeat(30))('a'.repeat(30))).toBe(false);
  });
});
