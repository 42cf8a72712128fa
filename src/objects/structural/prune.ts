import { compareStrings } from '../apply/compare-json.ts';
import { isJsonArray, isJsonObject, jsonObject } from '../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../json-value.ts';
import type { Schema } from '../schema/index.ts';
import { childPath } from './make-field-error.ts';

export interface Pruned {
  readonly object: JsonObject;
  /** The paths of what was dropped, sorted, as `spec.ports[0].nmae`. */
  readonly unknown: readonly string[];
}

const IDENTITY: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Drops from a custom object what its schema does not describe. What is below a schema that preserves unknown fields stays, down to
 * fields that are described again. apiVersion, kind and metadata of the object and of embedded ones are kept; metadata is pruned by
 * `metadataSchema`, where it is given.
 */
export function pruneCustomObject(object: JsonObject, schema: Schema, metadataSchema?: Schema): Pruned {
  const pruning: Pruning = { unknown: [], metadataSchema };
  return finish(prune(object, { ...copyOf(schema), embeddedResource: true }, '', pruning), object, pruning);
}

/**
 * Drops from a built-in object what its kind does not have, as decoding it into the kind's Go type would: unknown fields, and nulls, which
 * are fields that are not set (in maps and lists, empty values).
 */
export function pruneBuiltinObject(object: JsonObject, schema: Schema): Pruned {
  const pruning: Pruning = { unknown: [], metadataSchema: undefined };
  return finish(pruneTyped(object, schema, '', pruning), object, pruning);
}

/** What `fieldValidation=Strict` answers, and `Warn` warns of field by field. */
export function strictDecodingError(unknown: readonly string[]): string {
  return `strict decoding error: ${unknown.map(unknownFieldWarning).join(', ')}`;
}

/** The warning about one unknown field. */
export function unknownFieldWarning(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

interface Pruning {
  readonly unknown: string[];
  readonly metadataSchema: Schema | undefined;
}

function finish(value: JsonValue, object: JsonObject, { unknown }: Pruning): Pruned {
  return { object: isJsonObject(value) ? value : object, unknown: unknown.sort(compareStrings) };
}

function prune(value: JsonValue, schema: Schema | undefined, path: string, pruning: Pruning): JsonValue {
  if (isJsonObject(value)) return pruneMap(value, schema, path, pruning);
  if (!isJsonArray(value)) return value;
  const keepsItems = schema?.preserveUnknownFields === true;
  return pruneList(value, path, (item, at) =>
    keepsItems ? keepUnknown(item, schema.items, at, pruning) : prune(item, schema?.items, at, pruning),
  );
}

function pruneMap(value: JsonObject, schema: Schema | undefined, path: string, pruning: Pruning): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const [key, child] of Object.entries(value)) {
    const at = childPath(path, key);
    if (schema?.embeddedResource === true && IDENTITY.has(key)) {
      entries.push([key, key === 'metadata' && pruning.metadataSchema ? pruneTyped(child, pruning.metadataSchema, at, pruning) : child]);
      continue;
    }
    const type = schema?.properties?.get(key) ?? schema?.additionalProperties;
    if (type !== undefined) entries.push([key, prune(child, type, at, pruning)]);
    else if (schema?.preserveUnknownFields === true) entries.push([key, child]);
    else if (!IDENTITY.has(key) || path !== '') pruning.unknown.push(at);
  }
  return jsonObject(entries);
}

/** Items of a list that preserves unknown fields: only what their own schema describes is looked at. */
function keepUnknown(value: JsonValue, schema: Schema | undefined, path: string, pruning: Pruning): JsonValue {
  if (schema === undefined) return value;
  return prune(value, { ...copyOf(schema), preserveUnknownFields: true }, path, pruning);
}

function pruneTyped(value: JsonValue, schema: Schema, path: string, pruning: Pruning): JsonValue {
  if (isJsonArray(value)) {
    const { items } = schema;
    return items === undefined ? value : pruneList(value, path, (item, at) => pruneTyped(item ?? emptyValue(items), items, at, pruning));
  }
  if (!isJsonObject(value) || schema.preserveUnknownFields === true) return value;
  const { properties, additionalProperties } = schema;
  if (additionalProperties === undefined && (properties === undefined || properties.size === 0)) return value;
  const entries: [string, JsonValue][] = [];
  for (const [key, child] of Object.entries(value)) {
    const at = childPath(path, key);
    const property = properties?.get(key);
    const type = property ?? additionalProperties;
    if (type === undefined) pruning.unknown.push(at);
    else if (child !== null) entries.push([key, pruneTyped(child, type, at, pruning)]);
    else if (property === undefined) entries.push([key, emptyValue(type)]);
  }
  return jsonObject(entries);
}

const EMPTY_VALUES: Partial<Record<NonNullable<Schema['type']>, JsonValue>> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  object: {},
};

function emptyValue({ type, quantity }: Schema): JsonValue {
  if (quantity === true) return '0';
  return type === undefined ? null : (EMPTY_VALUES[type] ?? null);
}

function pruneList(value: JsonArray, path: string, each: (item: JsonValue, path: string) => JsonValue): JsonArray {
  return value.map((item, index) => each(item, `${path}[${index}]`));
}

/** Members of schemas may be computed when they are read, which a spread does. */
function copyOf(schema: Schema): Schema {
  return { ...schema };
}
