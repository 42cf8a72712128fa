import { isJsonArray } from '../json-value.ts';
import type { JsonValue } from '../json-value.ts';
import { valueError } from './make-field-error.ts';
import { isStringFormat } from './formats.ts';
import type { StructuralSchema } from './structural-schema.ts';
import type { ValidationResult } from './validation-result.ts';

/** Checks that a value has one of the types that a schema allows. */
export function validateType(value: JsonValue, schema: StructuralSchema, path: string, result: ValidationResult): void {
  const types = typesOf(schema);
  const type = typeOf(value);
  if (value === null) {
    if (types.length > 0 && schema.nullable !== true) failType(types.join(','), type, path, result);
    return;
  }
  if (types.length === 0 && schema.format === undefined) return;
  const fits = types.includes(type) || (type === 'integer' && types.includes('number'));
  const format = effectiveFormat(schema);
  const isText = typeof value === 'string' || isJsonArray(value);
  if (format !== undefined && !isText && !fits) {
    failType(format, type === 'integer' ? 'int64' : type === 'number' ? 'float64' : '', path, result);
    return;
  }
  const isNumeric = types.includes('number') || types.includes('integer');
  if (format !== undefined && isText && !isNumeric) {
    result.matches++;
    return;
  }
  if (fits) result.matches++;
  else failType(types.join(','), type, path, result);
}

/** The format of a schema where it means something for the schema's type; others are as if they were not there. */
export function effectiveFormat({ type, format, intOrString }: StructuralSchema): string | undefined {
  if (format === undefined) return undefined;
  if (intOrString === true || type === undefined || type === 'string') return isStringFormat(format) ? format : undefined;
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : undefined;
  return type === 'number' && (format === 'float' || format === 'double') ? format : undefined;
}

function typesOf({ type, intOrString, quantity }: StructuralSchema): readonly string[] {
  if (intOrString === true) return ['integer', 'string'];
  if (quantity === true) return ['string', 'number'];
  return type === undefined ? [] : [type];
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function failType(expected: string, actual: string, path: string, result: ValidationResult): void {
  const text = `${path} in body must be of type ${expected}: ${JSON.stringify(actual)}`;
  result.fail(text, valueError('FieldValueTypeInvalid', path.replace(/^\./, ''), actual, text));
}
