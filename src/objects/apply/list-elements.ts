import { isJsonArray, isJsonObject, ownValue } from '../json-value.ts';
import type { JsonValue } from '../json-value.ts';
import type { ListAtom } from './atom.ts';
import { keyElement, valueElement } from './path-element.ts';
import type { PathElement } from './path-element.ts';

/** A list element that cannot be told from others; the message is the API server's. */
export class ElementWithoutKey extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ElementWithoutKey';
  }
}

/**
 * How an element of an associative list is addressed: by its key fields, or in a set by its value. A key field that is absent counts
 * with its default; one without a default is left out, and that makes an address of its own. Throws ElementWithoutKey.
 */
export function elementAddress(list: ListAtom, element: JsonValue): PathElement {
  const keys = list.keys;
  if (keys === undefined) throw new ElementWithoutKey('invalid indexing of non-associative list');
  return keys.length === 0 ? setAddress(element) : keyedAddress(list, keys, element);
}

function setAddress(element: JsonValue): PathElement {
  if (isJsonObject(element)) throw new ElementWithoutKey("associative list without keys has an element that's a map type");
  if (isJsonArray(element)) throw new ElementWithoutKey('not supported: associative list with lists as elements');
  if (element === null) throw new ElementWithoutKey("associative list without keys has an element that's an explicit null");
  return valueElement(element);
}

function keyedAddress(list: ListAtom, keys: readonly string[], element: JsonValue): PathElement {
  if (element === null) throw new ElementWithoutKey('associative list with keys may not have a null element');
  if (!isJsonObject(element)) throw new ElementWithoutKey('associative list with keys may not have non-map elements');
  const fields: [string, JsonValue][] = [];
  for (const key of keys) {
    const value = ownValue(element, key) ?? keyDefault(list, key);
    if (value !== undefined) fields.push([key, value]);
  }
  if (fields.length === 0) {
    const names = `[${keys.map((key) => JSON.stringify(key)).join(' ')}]`;
    throw new ElementWithoutKey(
      `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(fields);
}

function keyDefault(list: ListAtom, key: string): JsonValue | undefined {
  const { map } = list.items();
  if (map === undefined) throw new ElementWithoutKey(`couldn't find default value for ${key}: associative list may not have non-map types`);
  return map.defaultOf(key) ?? undefined;
}
