import { isJsonArray, isJsonObject } from '../json-value.ts';
import type { JsonValue } from '../json-value.ts';
import { compareJson, compareStrings } from './compare-json.ts';
import { encodeSortedJson } from './encode-json.ts';

/**
 * One step from a value to a part of it: a field or map entry by name, a list item by its key fields (sorted by name), a set item
 * by its value, or an item of an atomic list by position. `text` is the element as FieldsV1 writes it (`f:name`, `k:{"name":"x"}`,
 * `v:1`, `i:0`), and equal elements have equal texts. Make elements with the functions below.
 */
export type PathElement = { readonly text: string } & (
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'key'; readonly fields: readonly (readonly [name: string, value: JsonValue])[] }
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'index'; readonly index: number }
);

export type FieldPath = readonly PathElement[];

/** A path element that is written in no form this version knows. */
export class PathElementInvalid extends Error {
  constructor(text: string, reason: string) {
    super(`${reason}: ${text}`);
    this.name = 'PathElementInvalid';
  }
}

export function fieldElement(name: string): PathElement {
  return { kind: 'field', text: `f:${name}`, name };
}

/** The order of the key fields does not matter. */
export function keyElement(unsorted: readonly (readonly [name: string, value: JsonValue])[]): PathElement {
  const fields = unsorted.length < 2 ? unsorted : unsorted.toSorted(([left], [right]) => compareStrings(left, right));
  const texts = fields.map(([name, value]) => `${JSON.stringify(name)}:${encodeSortedJson(value)}`);
  return { kind: 'key', text: `k:{${texts.join(',')}}`, fields };
}

export function valueElement(value: JsonValue): PathElement {
  return { kind: 'value', text: `v:${encodeSortedJson(value)}`, value };
}

export function indexElement(index: number): PathElement {
  return { kind: 'index', text: `i:${index}`, index };
}

/** Undefined for a form that a newer version may know; throws PathElementInvalid for one that nobody does. */
export function decodePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new PathElementInvalid(text, 'key must be 2 characters long');
  if (text[1] !== ':') throw new PathElementInvalid(text, 'missing colon');
  const content = text.slice(2);
  switch (text[0]) {
    case 'f':
      return fieldElement(content);
    case 'k': {
      const fields = parseContent(text, content);
      if (!isJsonObject(fields)) throw new PathElementInvalid(text, 'expect { or n');
      return keyElement(Object.entries(fields));
    }
    case 'v':
      return valueElement(parseContent(text, content));
    case 'i':
      if (!/^[+-]?\d+$/.test(content)) throw new PathElementInvalid(text, 'invalid syntax');
      return indexElement(Number(content));
    default:
      return undefined;
  }
}

/** The element as people read it in messages: `.name`, `[name="x"]`, `[=1]`, `[0]`. */
export function printPathElement(element: PathElement): string {
  switch (element.kind) {
    case 'field':
      return `.${element.name}`;
    case 'key':
      return `[${element.fields.map(([name, value]) => `${name}=${printValue(value)}`).join(',')}]`;
    case 'value':
      return `[=${printValue(element.value)}]`;
    case 'index':
      return `[${element.index}]`;
  }
}

export function printPath(path: FieldPath): string {
  return path.map(printPathElement).join('');
}

const KIND_ORDER = { field: 0, key: 1, value: 2, index: 3 } as const;

/** The canonical order within a set: fields, keyed items, values, positions. */
export function comparePathElements(left: PathElement, right: PathElement): number {
  if (left.kind === 'field' && right.kind === 'field') return compareStrings(left.name, right.name);
  if (left.kind === 'key' && right.kind === 'key') return compareKeyFields(left.fields, right.fields);
  if (left.kind === 'value' && right.kind === 'value') return compareJson(left.value, right.value);
  if (left.kind === 'index' && right.kind === 'index') return left.index - right.index;
  return KIND_ORDER[left.kind] - KIND_ORDER[right.kind];
}

type KeyFields = readonly (readonly [name: string, value: JsonValue])[];

function compareKeyFields(left: KeyFields, right: KeyFields): number {
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareStrings(name, other[0]) || compareJson(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function parseContent(text: string, content: string): JsonValue {
  try {
    return JSON.parse(content) as JsonValue;
  } catch {
    throw new PathElementInvalid(text, 'invalid JSON');
  }
}

function printValue(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map(printValue).join(',')}]`;
  if (isJsonObject(value))
    return Object.entries(value)
      .map(([key, item]) => `${key}=${printValue(item)}`)
      .join('');
  return String(value);
}
