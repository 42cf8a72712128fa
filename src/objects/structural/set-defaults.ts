import { fieldOf, isJsonArray, isJsonObject, itemOf, jsonObject, mapFields, mapItems, ownValue } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import type { Schema } from '../schema/index.ts';
import { ANY_VALUE } from './structural-schema.ts';

/**
 * Sets what a custom object leaves out and its schema has a default for, at every depth. A null where the schema allows none is taken
 * as left out: it gets the default, and goes where there is none. What is shared with `known`, an object that has its defaults already,
 * is not looked at.
 */
export function setDefaults(object: JsonObject, schema: Schema, known?: JsonObject): JsonObject {
  const result = fill(hasNull(object, known) ? dropNulls(object, schema, known) : object, schema, known);
  return isJsonObject(result) ? result : object;
}

/** Whether there is a null anywhere in what is not shared with `known`. */
function hasNull(value: JsonValue, known: JsonValue | undefined): boolean {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  if (value === known) return false;
  if (isJsonArray(value)) return value.some((item, index) => hasNull(item, itemOf(known, index)));
  const keys = Object.keys(value);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const child = (value as JsonObject)[key]!;
    if (typeof child === 'object' && hasNull(child, fieldOf(known, key))) return true;
  }
  return false;
}

function dropNulls(value: JsonValue, schema: Schema | undefined, known: JsonValue | undefined): JsonValue {
  if (value === known) return value;
  if (isJsonArray(value)) return mapItems(value, (item, index) => dropNulls(item, schema?.items, itemOf(known, index)));
  if (!isJsonObject(value)) return value;
  return mapFields(value, (child, key) => {
    const type = schema?.properties?.get(key) ?? schema?.additionalProperties;
    const isLeftOut = child === null && isDescribed(type) && type.nullable !== true && type.default === undefined;
    return isLeftOut ? undefined : dropNulls(child, type, fieldOf(known, key));
  });
}

function fill(value: JsonValue, schema: Schema | undefined, known: JsonValue | undefined): JsonValue {
  if (schema === undefined || value === known || schema.lacksDefaults === true) return value;
  if (isJsonArray(value)) return mapItems(value, (item, index) => fill(orDefault(item, schema.items), schema.items, itemOf(known, index)));
  if (!isJsonObject(value)) return value;
  const filled = mapFields(value, (child, key) => {
    const type = schema.properties?.get(key) ?? schema.additionalProperties;
    return fill(orDefault(child, type), type, fieldOf(known, key));
  });
  const missing: [string, JsonValue][] = [];
  for (const [key, type] of schema.properties ?? [])
    if (type.default !== undefined && ownValue(value, key) === undefined) missing.push([key, fill(type.default, type, undefined)]);
  return missing.length === 0 ? filled : jsonObject([...Object.entries(filled), ...missing]);
}

function orDefault(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (value !== null || schema === undefined || schema.nullable === true) return value;
  return schema.default ?? null;
}

function isDescribed(schema: Schema | undefined): schema is Schema {
  return schema !== undefined && schema !== ANY_VALUE;
}
