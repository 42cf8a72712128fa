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
