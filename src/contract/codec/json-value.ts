/** Any value that JSON text can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A plain JSON object: what a message is inside Fairway. */
export type JsonObject = { [key: string]: JsonValue };

/** How deeply messages may be nested, on the wire and in JSON. The contract itself needs fewer than 20 levels. */
export const MESSAGE_DEPTH_MAX = 100;

/** How deeply JSON text may be nested: a body, or the free JSON inside a message. */
export const JSON_DEPTH_MAX = 200;

/**
 * The object of a map field. Its keys come from outside, so it inherits nothing: `__proto__` and `constructor` are keys
 * like any other. (A constructor with an empty prototype, because V8 keeps such objects in their fast form, unlike those
 * of `Object.create(null)`.)
 */
export const MapObject: new () => JsonObject = (() => {
  function MapObject(): void {}
  MapObject.prototype = Object.freeze(Object.create(null) as object);
  return MapObject as unknown as new () => JsonObject;
})();

/** The word for a value's type in messages to a caller. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** True for a value that came from a JSON object: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The keys of a map in order. Maps are small and most come sorted, so that is tested first. */
export function sortedKeys(map: JsonObject): string[] {
  const keys = Object.keys(map);
  for (let index = 1; index < keys.length; index++) if (keys[index - 1]! > keys[index]!) return keys.sort();
  return keys;
}
