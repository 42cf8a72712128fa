import { fieldOf, isJsonArray, itemOf, ownValue } from '../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../json-value.ts';
import { hasFormat } from './formats.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { effectiveFormat } from './validate-type.ts';

/**
 * True where a value fits its schema beyond doubt; false where it may not, or where it takes the whole check to tell. Nearly everything
 * that is written fits, and this makes nothing while it looks: the whole check, which can say what is wrong, takes several times as long.
 */
export function isPlainlyRight(value: JsonValue, schema: StructuralSchema, known: JsonValue | undefined): boolean {
  if (value === null) return false;
  if (typeof value === 'object' && value === known) return true;
  if (!isSimple(schema)) return false;
  if (typeof value === 'string') return isRightText(value, schema);
  if (typeof value === 'number') return isRightNumber(value, schema);
  if (schema.format !== undefined || schema.enum !== undefined) return false;
  if (typeof value === 'boolean') return schema.type === 'boolean' || schema.type === undefined;
  return isJsonArray(value) ? isRightList(value, schema, known) : isRightObject(value as JsonObject, schema, known);
}

function isSimple({ anyOf, oneOf, allOf, not, intOrString, quantity }: StructuralSchema): boolean {
  const hasAlternatives = anyOf !== undefined || oneOf !== undefined || allOf !== undefined || not !== undefined;
  return !hasAlternatives && intOrString !== true && quantity !== true;
}

function isRightText(value: string, schema: StructuralSchema): boolean {
  const { type, maxLength, minLength, pattern, enum: allowed } = schema;
  if (type !== 'string' && type !== undefined) return false;
  if (maxLength !== undefined || minLength !== undefined || pattern !== undefined) return false;
  if (allowed !== undefined && !allowed.includes(value)) return false;
  const format = effectiveFormat(schema);
  return format === undefined || hasFormat(value, format) !== false;
}

function isRightNumber(value: number, { type, format, minimum, maximum, multipleOf, enum: allowed }: StructuralSchema): boolean {
  if (minimum !== undefined || maximum !== undefined || multipleOf !== undefined || allowed !== undefined) return false;
  if (type === 'number') return format === undefined;
  if (type !== 'integer' || !Number.isSafeInteger(value)) return false;
  if (format === 'int32') return value >= -(2 ** 31) && value < 2 ** 31;
  return format === undefined || format === 'int64';
}

function isRightList(list: JsonArray, schema: StructuralSchema, known: JsonValue | undefined): boolean {
  const { type, items, minItems, maxItems, uniqueItems, listType } = schema;
  if (type !== 'array' || minItems !== undefined || maxItems !== undefined || uniqueItems === true) return false;
  // Whether anything repeats is for the whole check to see.
  if (listType !== undefined && listType !== 'atomic' && list.length > 0) return false;
  if (items === undefined) return true;
  for (let index = 0; index < list.length; index++) if (!isPlainlyRight(list[index]!, items, itemOf(known, index))) return false;
  return true;
}

function isRightObject(object: JsonObject, schema: StructuralSchema, known: JsonValue | undefined): boolean {
  const { type, properties, additionalProperties, required, minProperties, maxProperties } = schema;
  if (type !== 'object' || minProperties !== undefined || maxProperties !== undefined) return false;
  const keys = Object.keys(object);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const child = properties?.get(key) ?? additionalProperties;
    if (child !== undefined && !isPlainlyRight(object[key] as JsonValue, child, fieldOf(known, key))) return false;
  }
  return required === undefined || required.every((key) => ownValue(object, key) !== undefined);
}
