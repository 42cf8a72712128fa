import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createFieldSet,
  fieldSetsEqual,
  hasField,
  intersectFieldSets,
  leavesOfFieldSet,
  listFields,
  subtractFieldSet,
  subtractFieldTrees,
  unionFieldSets,
} from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1, FieldsV1Invalid } from './fields-v1.ts';
import { fieldElement, indexElement, keyElement, printPath, valueElement } from './path-element.ts';
import type { FieldPath, PathElement } from './path-element.ts';

const element: fc.Arbitrary<PathElement> = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '.', 'f:x', '__proto__', 'é<').map(fieldElement),
  fc.constantFrom(1, 'x', true, '<&>').map(valueElement),
  fc.tuple(fc.constantFrom('x', 'y'), fc.constantFrom(80, 443)).map(([name, port]) =>
    keyElement([
      ['port', port],
      ['name', name],
    ]),
  ),
  fc.nat(3).map(indexElement),
);
const path: fc.Arbitrary<FieldPath> = fc.array(element, { minLength: 1, maxLength: 4 });
const paths = fc.array(path, { maxLength: 12 });

function texts(set: FieldSet): string[] {
  return [...listFields(set)].map(printPath);
}

function set(...fields: string[]): FieldSet {
  return createFieldSet(fields.map((field) => field.split('.').map(fieldElement)));
}

describe('a field set', () => {
  it('has what was put in, once, and nothing else', () => {
    fc.assert(
      fc.property(paths, path, (members, other) => {
        const own = createFieldSet(members);
        const known = new Set(members.map(printPath));
        for (const member of members) expect(hasField(own, member)).toBe(true);
        expect(hasField(own, other)).toBe(known.has(printPath(other)));
        expect(new Set(texts(own))).toEqual(known);
        expect(texts(own)).toHaveLength(known.size);
      }),
    );
  });

  it('joins, meets and differs as sets of paths do', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [own, other] = [createFieldSet(left), createFieldSet(right)];
        const [ownTexts, otherTexts] = [new Set(left.map(printPath)), new Set(right.map(printPath))];
        expect(new Set(texts(unionFieldSets(own, other)))).toEqual(new Set([...ownTexts, ...otherTexts]));
        expect(new Set(texts(intersectFieldSets(own, other)))).toEqual(new Set([...ownTexts].filter((text) => otherTexts.has(text))));
        expect(new Set(texts(subtractFieldSet(own, other)))).toEqual(new Set([...ownTexts].filter((text) => !otherTexts.has(text))));
        expect(fieldSetsEqual(own, other)).toBe(ownTexts.size === otherTexts.size && [...ownTexts].every((text) => otherTexts.has(text)));
      }),
    );
  });

  it('does not change its operands', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [own, other] = [createFieldSet(left), createFieldSet(right)];
        const before = [texts(own), texts(other)];
        for (const operation of [unionFieldSets, intersectFieldSets, subtractFieldSet, subtractFieldTrees]) operation(own, other);
        expect([texts(own), texts(other)]).toEqual(before);
      }),
    );
  });

  it('takes whole trees away, or only what is named', () => {
    expect(texts(subtractFieldTrees(set('a', 'a.b', 'a.b.c', 'd'), set('a.b')))).toEqual(['.a', '.d']);
    expect(texts(subtractFieldSet(set('a', 'a.b', 'a.b.c', 'd'), set('a.b')))).toEqual(['.a', '.d', '.a.b.c']);
  });

  it('has leaves', () => {
    expect(texts(leavesOfFieldSet(set('a', 'a.b', 'c')))).toEqual(['.c', '.a.b']);
  });
});

describe('FieldsV1', () => {
  it('gives back what was written', () => {
    fc.assert(
      fc.property(paths, (members) => {
        const own = createFieldSet(members);
        const fields = encodeFieldsV1(own);
        expect(fieldSetsEqual(decodeFieldsV1(fields), own)).toBe(true);
        expect(JSON.stringify(encodeFieldsV1(decodeFieldsV1(JSON.parse(JSON.stringify(fields)))))).toBe(JSON.stringify(fields));
      }),
    );
  });

  it('writes the canonical order: fields, keys, values, positions', () => {
    const own = createFieldSet([
      [valueElement(2)],
      [fieldElement('b')],
      [
        keyElement([
          ['b', 1],
          ['a', 2],
        ]),
      ],
      [fieldElement('a')],
      [fieldElement('a'), fieldElement('z')],
      [valueElement('x')],
    ]);
    expect(JSON.stringify(encodeFieldsV1(own))).toBe(
      String.raw`{"f:a":{".":{},"f:z":{}},"f:b":{},"k:{\"a\":2,\"b\":1}":{},"v:2":{},"v:\"x\"":{}}`,
    );
  });

  it('reads keys in any order as the same element', () => {
    expect(fieldSetsEqual(decodeFieldsV1({ 'k:{"b":1,"a":2}': {} }), decodeFieldsV1({ 'k:{"a":2,"b":1}': {} }))).toBe(true);
  });

  it('drops kinds of elements that it does not know', () => {
    expect(texts(decodeFieldsV1({ 'x:new': {}, 'f:a': {} }))).toEqual(['.a']);
  });

  it.each([[{ 'f:a': 1 }], [{ a: {} }], [{ 'k:{': {} }], [{ 'i:x': {} }], [[]]])('refuses %j', (fields) => {
    expect(() => decodeFieldsV1(fields)).toThrow(FieldsV1Invalid);
  });
});
