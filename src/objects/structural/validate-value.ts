import { jsonEquals } from '../apply/compare-json.ts';
import { encodeSortedJson } from '../apply/encode-json.ts';
import { fieldOf, isJsonArray, isJsonObject, itemOf, ownValue } from '../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../json-value.ts';
import { fieldError, valueError } from './make-field-error.ts';
import type { PatternBudget } from './pattern.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { validateJunctors } from './validate-junctors.ts';
import { validateNumber } from './validate-number.ts';
import { validateString } from './validate-string.ts';
import { validateType } from './validate-type.ts';
import { ValidationResult } from './validation-result.ts';

/** How to read values: a null in an object of a Go type is a field that is not set. */
export interface ValidationSetting {
  readonly isNullAbsent: boolean;
  /** For patterns. */
  readonly budget: PatternBudget;
}

/** What is checked. `path` is empty for the object itself; what is `known` there was accepted before and is not looked at again. */
interface Subject {
  readonly path: string;
  readonly setting: ValidationSetting;
  readonly known?: JsonValue | undefined;
}

/** Checks a value and all that is in it. */
export function validateValue(value: JsonValue, schema: StructuralSchema, subject: Subject): ValidationResult {
  const { path, setting } = subject;
  const result = new ValidationResult();
  if (value === subject.known && typeof value === 'object') return result;
  if (value === null) {
    if (setting.isNullAbsent) return result;
    validateType(value, schema, path, result);
    validateEnum(value, schema, path, result);
    return result;
  }
  // Each check that applies counts, whatever comes of it; the counts decide which alternative was meant.
  if (hasType(schema)) {
    validateType(value, schema, path, result);
    result.matches++;
  }
  validateJunctors(schema, (alternative) => validateValue(value, alternative, { path, setting }), path, result);
  result.matches++;
  if (typeof value === 'string') {
    result.matches += 1 + validateString(value, schema, subject, result);
  } else if (typeof value === 'number') {
    validateNumber(value, schema, path, result);
    result.matches += 2;
  } else if (isJsonArray(value)) {
    validateList(value, schema, subject, result);
    result.matches += 2;
  }
  validateEnum(value, schema, path, result);
  result.matches++;
  if (isJsonObject(value)) {
    validateObject(value, schema, subject, result);
    result.matches++;
  }
  result.matches++;
  return result;
}

function hasType(schema: StructuralSchema): boolean {
  return schema.type !== undefined || schema.intOrString === true || schema.quantity === true || schema.format !== undefined;
}

function validateEnum(value: JsonValue, { enum: allowed }: StructuralSchema, path: string, result: ValidationResult): void {
  if (allowed === undefined || allowed.length === 0) return;
  if (allowed.some((candidate) => isEnumerated(value, candidate))) return;
  const texts = allowed.map((candidate) => JSON.stringify(typeof candidate === 'string' ? candidate : JSON.stringify(candidate)));
  result.fail(
    `${path} in body should be one of ${texts.join(' ')}`,
    valueError('FieldValueNotSupported', path, value, `supported values: ${texts.join(', ')}`),
  );
}

/** The API server converts a number to the type of the allowed value first: 1.5 is taken for 1, and 97 for "a". Null is never allowed. */
function isEnumerated(value: JsonValue, candidate: JsonValue): boolean {
  if (value === null) return false;
  if (typeof value === 'number' && Number.isInteger(candidate)) return Math.trunc(value) === candidate;
  if (typeof value === 'number' && Number.isInteger(value) && typeof candidate === 'string') return textOfCode(value) === candidate;
  return jsonEquals(candidate, value);
}

function textOfCode(code: number): string {
  const isCharacter = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
}

function validateList(list: JsonArray, schema: StructuralSchema, { path, setting, known }: Subject, result: ValidationResult): void {
  const { items, minItems, maxItems } = schema;
  if (items !== undefined)
    for (const [index, item] of list.entries())
      result.merge(validateValue(item, items, { path: `${path}[${index}]`, setting, known: itemOf(known, index) }));
  if (minItems !== undefined && list.length < minItems) {
    const text = `${path} in body should have at least ${minItems} items`;
    result.fail(text, valueError('FieldValueInvalid', path, list.length, text));
  }
  if (maxItems !== undefined && list.length > maxItems) {
    const text = `${path} in body should have at most ${maxItems} items`;
    result.fail(text, valueError('FieldValueTooMany', path, list.length, atMost(maxItems)));
  }
  if (schema.uniqueItems === true && new Set(list.map(encodeSortedJson)).size < list.length) {
    const text = `${path} in body shouldn't contain duplicates`;
    result.fail(text, valueError('FieldValueInvalid', path, '', text));
  }
}

function validateObject(object: JsonObject, schema: StructuralSchema, { path, setting, known }: Subject, result: ValidationResult): void {
  const { properties, additionalProperties, required = [], minProperties, maxProperties } = schema;
  const size = Object.keys(object).length;
  if (minProperties !== undefined && size < minProperties) {
    const text = `${path} in body should have at least ${minProperties} properties`;
    result.fail(text, valueError('FieldValueInvalid', path, size, text));
  }
  if (maxProperties !== undefined && size > maxProperties) {
    const text = `${path} in body should have at most ${maxProperties} properties`;
    result.fail(text, valueError('FieldValueTooMany', path, size, atMost(maxProperties)));
  }
  for (const [key, value] of Object.entries(object)) {
    const property = properties?.get(key);
    const type = property ?? additionalProperties;
    if (type === undefined) continue;
    const at = property !== undefined && path === '' ? key : `${path}.${key}`;
    result.merge(validateValue(value, type, { path: at, setting, known: fieldOf(known, key) }));
  }
  for (const key of required) {
    const value = ownValue(object, key);
    if (value !== undefined && (value !== null || !setting.isNullAbsent)) continue;
    const field = path === '' ? key : `${path}.${key}`;
    result.fail(`${field} in body is required`, fieldError('FieldValueRequired', field, ''));
  }
}

function atMost(count: number): string {
  return `must have at most ${count} ${count === 1 ? 'item' : 'items'}`;
}
