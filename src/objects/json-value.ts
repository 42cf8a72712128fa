/** Any value that JSON can carry. Values are never changed in place in this room: a result shares what did not change. */
export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;

export type JsonArray = readonly JsonValue[];

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: unknown): value is JsonArray {
  return Array.isArray(value);
}

/** The value of an own field. Fields come from outside, so `constructor` or `__proto__` must not reach the prototype. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** An object from entries; a key of `__proto__` becomes an ordinary field. */
export function jsonObject(entries: Iterable<readonly [string, JsonValue]>): JsonObject {
  return Object.fromEntries(entries);
}

/**
 * The object with every field as a function makes it; undefined takes a field away. Where nothing changes it is the same object, so that
 * those who come after can see that at a glance.
 */
export function mapFields(object: JsonObject, change: (value: JsonValue, key: string) => JsonValue | undefined): JsonObject {
  const keys = Object.keys(object);
  let entries: [string, JsonValue][] | undefined;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const value = object[key] as JsonValue;
    const changed = change(value, key);
    if (entries === undefined) {
      if (changed === value) continue;
      entries = keys.slice(0, index).map((before) => [before, object[before] as JsonValue]);
    }
    if (changed !== undefined) entries.push([key, changed]);
  }
  return entries === undefined ? object : jsonObject(entries);
}

/** As mapFields, for the items of a list. */
export function mapItems(list: JsonArray, change: (item: JsonValue, index: number) => JsonValue): JsonArray {
  let items: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index]!;
    const changed = change(item, index);
    if (items === undefined && changed !== item) items = list.slice(0, index);
    items?.push(changed);
  }
  return items ?? list;
}

/** What another value has in the place of a field; undefined where it has none. */
export function fieldOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? ownValue(value, key) : undefined;
}

/** What another value has in the place of an item. */
export function itemOf(value: JsonValue | undefined, index: number): JsonValue | undefined {
  return isJsonArray(value) ? value[index] : undefined;
}
