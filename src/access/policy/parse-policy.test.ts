import { describe, expect, it } from 'vitest';
import { splitPolicyFields } from './parse-policy.ts';

describe('the fields of a policy line', () => {
  it.each([
    ['p, a , b', ['p', 'a', 'b']],
    ['g,  "a, ""b""" , role:x', ['g', 'a, "b"', 'role:x']],
    ['a,', ['a', '']],
    ['', ['']],
    ['  "a"  ', ['a']],
  ])('of %j are %j', (line, fields) => expect(splitPolicyFields(line)).toEqual(fields));

  it.each(['a "b"', '"a', '"a" b, c', 'a"'])('%j has none', (line) => expect(splitPolicyFields(line)).toBeUndefined());

  it('RBAC-03: are found in a time that grows with the length of the line alone', () => {
    const startMs = performance.now();
    for (const space of [' ', '\f', '\u00a0']) expect(splitPolicyFields(`${space.repeat(500_000)}"x`)).toBeUndefined();
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });
});
