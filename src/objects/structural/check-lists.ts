import { encodeSortedJson } from '../apply/encode-json.ts';
import { fieldOf, isJsonArray, isJsonObject, itemOf, jsonObject, ownValue } from '../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../json-value.ts';
import type { Schema } from '../schema/index.ts';
import { childPath, keyPath, valueError } from './make-field-error.ts';
import type { FieldError } from '../field-error.ts';

interface Place {
  readonly path: string;
  /** What stands there in an object that was accepted before. */
  readonly known: JsonValue | undefined;
}

/** Sets must not repeat a value, and keyed lists must not repeat a key: each repetition is reported once. */
export function checkLists(value: JsonValue, schema: Schema, { path, known }: Place, errors: FieldError[]): void {
  if (typeof value !== 'object' || value === known) return;
  if (isJsonArray(value)) checkList(value, schema, { path, known }, errors);
  if (!isJsonObject(value)) return;
  for (const [key, child] of Object.entries(value)) {
    if (typeof child !== 'object') continue;
    const values = schema.additionalProperties;
    if (values !== undefined) checkLists(child, values, { path: keyPath(path, key), known: fieldOf(known, key) }, errors);
    const property = schema.properties?.get(key);
    if (property !== undefined) checkLists(child, property, { path: childPath(path, key), known: fieldOf(known, key) }, errors);
  }
}

function checkList(list: JsonArray, schema: Schema, { path, known }: Place, errors: FieldError[]): void {
  if (schema.listType === 'set') reportRepetitions(list, path, errors);
  else if (schema.listType === 'map') checkKeyedList(list, schema, path, errors);
  const { items } = schema;
  if (items === undefined) return;
  for (const [index, item] of list.entries()) checkLists(item, items, { path: `${path}[${index}]`, known: itemOf(known, index) }, errors);
}

function checkKeyedList(list: JsonArray, schema: Schema, path: string, errors: FieldError[]): void {
  const odd = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (odd >= 0) {
    errors.push(valueError('FieldValueInvalid', `${path}[${odd}]`, list[odd] ?? null, 'must be an object for an array of list-type map'));
    return;
  }
  const keys = list.map((item) => keysOf(isJsonObject(item) ? item : {}, schema.listMapKeys ?? []));
  reportRepetitions(keys, path, errors);
}

function keysOf(item: JsonObject, names: readonly string[]): JsonObject {
  return jsonObject(
    names.flatMap((name): [string, JsonValue][] => {
      const value = ownValue(item, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function reportRepetitions(values: JsonArray, path: string, errors: FieldError[]): void {
  const times = new Map<string, number>();
  for (const [index, value] of values.entries()) {
    const text = encodeSortedJson(value);
    const before = times.get(text) ?? 0;
    if (before === 1) errors.push(valueError('FieldValueDuplicate', `${path}[${index}]`, value, ''));
    times.set(text, before + 1);
  }
}
