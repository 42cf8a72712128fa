import { isJsonArray, isJsonObject, jsonObject, ownValue } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import type { Schema } from '../schema/index.ts';
import { ANY_VALUE } from './structural-schema.ts';

/**
 * Sets what a custom object leaves out and its schema has a default for, at every depth. A null where the schema allows none is taken
 * as left out: it gets the default, and goes where there is none.
 */
export function setDefaults(object: JsonObject, schema: Schema): JsonObject {
  const result = fill(dropNulls(object, schema), schema);
  return isJsonObject(result) ? result : object;
}

function dropNulls(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (isJsonArray(value)) return value.map((item) => dropNulls(item, schema?.items));
  if (!isJsonObject(value)) return value;
  const entries: [string, JsonValue][] = [];
  for (const [key, child] of Object.entries(value)) {
    const type = schema?.properties?.get(key) ?? schema?.additionalProperties;
    const isLeftOut = child === null && isDescribed(type) && type.nullable !== true && type.default === undefined;
    if (!isLeftOut) entries.push([key, dropNulls(child, type)]);
  }
  return jsonObject(entries);
}

function fill(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (schema === undefined) return value;
  if (isJsonArray(value)) return value.map((item) => fill(orDefault(item, schema.items), schema.items));
  if (!isJsonObject(value)) return value;
  const entries: [string, JsonValue][] = [];
  for (const [key, child] of Object.entries(value)) {
    const type = schema.properties?.get(key) ?? schema.additionalProperties;
    entries.push([key, fill(orDefault(child, type), type)]);
  }
  for (const [key, type] of schema.properties ?? [])
    if (type.default !== undefined && ownValue(value, key) === undefined) entries.push([key, fill(type.default, type)]);
  return jsonObject(entries);
}

function orDefault(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (value !== null || schema === undefined || schema.nullable === true) return value;
  return schema.default ?? null;
}

function isDescribed(schema: Schema | undefined): schema is Schema {
  return schema !== undefined && schema !== ANY_VALUE;
}
