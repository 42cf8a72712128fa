import { compareStrings } from '../apply/compare-json.ts';
import { fieldOf, isJsonArray, isJsonObject, itemOf, mapFields, mapItems } from '../json-value.ts';
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
 * `metadataSchema`, where it is given. What is shared with `known`, an object that was pruned before, is not looked at.
 */
export function pruneCustomObject(object: JsonObject, schema: Schema, metadataSchema?: Schema, known?: JsonObject): Pruned {
  const pruning: Pruning = { unknown: [], metadataSchema };
  return finish(pruneMap(object, schema, { path: '', pruning, known, isResource: true }), object, pruning);
}

/**
 * Drops from a built-in object what its kind does not have, as decoding it into the kind's Go type would: unknown fields, and nulls, which
 * are fields that are not set (in maps and lists, empty values).
 */
export function pruneBuiltinObject(object: JsonObject, schema: Schema): Pruned {
  const pruning: Pruning = { unknown: [], metadataSchema: undefined };
  return finish(pruneTyped(object, schema, { path: '', pruning, known: undefined }), object, pruning);
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

/** Where the walk is, and what stands there in the object that is known to be right. */
interface Place {
  readonly path: string;
  readonly pruning: Pruning;
  readonly known: JsonValue | undefined;
  /** The object itself, which has metadata whatever its schema says. */
  readonly isResource?: boolean;
}

function prune(value: JsonValue, schema: Schema | undefined, place: Place): JsonValue {
  if (value === place.known) return value;
  if (isJsonObject(value)) return pruneMap(value, schema, place);
  if (!isJsonArray(value)) return value;
  const keepsItems = schema?.preserveUnknownFields === true;
  return pruneList(value, place, (item, at) => (keepsItems ? keepUnknown(item, schema.items, at) : prune(item, schema?.items, at)));
}

function pruneMap(value: JsonObject, schema: Schema | undefined, place: Place): JsonObject {
  const { path, pruning } = place;
  const isResource = schema?.embeddedResource === true || place.isResource === true;
  return mapFields(value, (child, key) => {
    if (isResource && IDENTITY.has(key))
      return key === 'metadata' && pruning.metadataSchema ? pruneTyped(child, pruning.metadataSchema, below(place, key)) : child;
    const type = schema?.properties?.get(key) ?? schema?.additionalProperties;
    // Texts and numbers are most of an object, and have nothing in them.
    if (type !== undefined) return typeof child === 'object' ? prune(child, type, below(place, key)) : child;
    if (schema?.preserveUnknownFields === true) return child;
    if (!IDENTITY.has(key) || path !== '') pruning.unknown.push(childPath(path, key));
    return undefined;
  });
}

/** Items of a list that preserves unknown fields: only what their own schema describes is looked at. */
function keepUnknown(value: JsonValue, schema: Schema | undefined, place: Place): JsonValue {
  if (schema === undefined) return value;
  return prune(value, { ...copyOf(schema), preserveUnknownFields: true }, place);
}

function pruneTyped(value: JsonValue, schema: Schema, place: Place): JsonValue {
  if (value === place.known) return value;
  if (isJsonArray(value)) {
    const { items } = schema;
    return items === undefined ? value : pruneList(value, place, (item, at) => pruneTyped(item ?? emptyValue(items), items, at));
  }
  if (!isJsonObject(value) || schema.preserveUnknownFields === true) return value;
  const { properties, additionalProperties } = schema;
  if (additionalProperties === undefined && (properties === undefined || properties.size === 0)) return value;
  return mapFields(value, (child, key) => {
    const property = properties?.get(key);
    const type = property ?? additionalProperties;
    if (type === undefined) {
      place.pruning.unknown.push(childPath(place.path, key));
      return undefined;
    }
    if (child === null) return property === undefined ? emptyValue(type) : undefined;
    return typeof child === 'object' ? pruneTyped(child, type, below(place, key)) : child;
  });
}

function below({ path, pruning, known }: Place, key: string): Place {
  return { path: childPath(path, key), pruning, known: fieldOf(known, key) };
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

function pruneList(value: JsonArray, { path, pruning, known }: Place, each: (item: JsonValue, place: Place) => JsonValue): JsonArray {
  return mapItems(value, (item, index) => each(item, { path: `${path}[${index}]`, pruning, known: itemOf(known, index) }));
}

/** Members of schemas may be computed when they are read, which a spread does. */
function copyOf(schema: Schema): Schema {
  return { ...schema };
}
