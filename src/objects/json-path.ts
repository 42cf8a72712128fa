import { isJsonArray, isJsonObject } from './json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from './json-value.ts';

const EMPTY: JsonObject = {};

/** The value at a path of field names; undefined where there is none. */
export function valueAt(object: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let value = object;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** The object at a path; an empty one where there is none. */
export function objectAt(object: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  const value = valueAt(object, path);
  return isJsonObject(value) ? value : EMPTY;
}

export function listAt(object: JsonValue | undefined, ...path: readonly string[]): JsonArray {
  const value = valueAt(object, path);
  return isJsonArray(value) ? value : [];
}

export function textAt(object: JsonValue | undefined, ...path: readonly string[]): string {
  const value = valueAt(object, path);
  return typeof value === 'string' ? value : '';
}

export function numberAt(object: JsonValue | undefined, ...path: readonly string[]): number | undefined {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : undefined;
}

/** The object with another value at a path; objects on the way are made where they are missing. Undefined takes the field away. */
export function withValueAt(object: JsonObject, path: readonly string[], value: JsonValue | undefined): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return object;
  if (rest.length > 0) return { ...object, [name]: withValueAt(objectAt(object, name), rest, value) };
  if (value !== undefined) return { ...object, [name]: value };
  const { [name]: _removed, ...others } = object;
  return others;
}

/** The object with the result of a change to the object at a path, where there is one. */
export function mapObjectAt(object: JsonObject, path: readonly string[], change: (value: JsonObject) => JsonObject): JsonObject {
  const value = valueAt(object, path);
  return isJsonObject(value) ? withValueAt(object, path, change(value)) : object;
}

/** As mapObjectAt, for each object in a list. */
export function mapListAt(object: JsonObject, path: readonly string[], change: (value: JsonObject) => JsonObject): JsonObject {
  const value = valueAt(object, path);
  if (!isJsonArray(value)) return object;
  return withValueAt(
    object,
    path,
    value.map((item) => (isJsonObject(item) ? change(item) : item)),
  );
}

/** The object with values for the fields that it does not have. */
export function withDefaults(object: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.entries(defaults).filter(([name]) => object[name] === undefined);
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}
