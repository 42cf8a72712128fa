import { assert, json, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { scaleIntOrPercent } from './int-or-percent.ts';
import type { JsonValue } from './json-value.ts';

describe('canonical JSON', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":2}') as JsonValue)).toBe('{"__proto__":2,"b":1}');
  });

  it('is JSON of the same value', () => {
    assert(
      property(json(), (text) => {
        const value = JSON.parse(text) as JsonValue;
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });
});

describe('an int or a percentage', () => {
  it.each([
    [3, 10, 'up', 3],
    ['25%', 10, 'up', 3],
    ['25%', 10, 'down', 2],
    ['0%', 10, 'up', 0],
    ['150%', 2, 'down', 3],
    ['7', 10, 'up', undefined],
    ['x%', 10, 'up', undefined],
    [1.5, 10, 'up', undefined],
  ] as const)('%s of %d, rounded %s, is %s', (value, total, rounding, expected) => {
    expect(scaleIntOrPercent(value, total, rounding)).toBe(expected);
  });
});
