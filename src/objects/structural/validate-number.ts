import { valueError } from './make-field-error.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { effectiveFormat } from './validate-type.ts';
import type { ValidationResult } from './validation-result.ts';

const FLOAT_MAX = 3.4028234663852886e38;

/** Checks the range that type and format give, and the limits of the schema. */
export function validateNumber(value: number, schema: StructuralSchema, path: string, result: ValidationResult): void {
  const { multipleOf, minimum, maximum } = schema;
  checkRange(value, 'Checked', schema, path, result);
  if (multipleOf !== undefined && checkRange(multipleOf, 'MultipleOf', schema, path, result) && !isMultiple(value, multipleOf))
    failLimit(value, `should be a multiple of ${multipleOf}`, path, result);
  if (minimum !== undefined) {
    checkRange(minimum, 'Minimum boundary', schema, path, result);
    const isExclusive = schema.exclusiveMinimum === true;
    if (value < minimum || (isExclusive && value === minimum))
      failLimit(value, `should be greater than ${isExclusive ? '' : 'or equal to '}${minimum}`, path, result);
  }
  if (maximum !== undefined) {
    checkRange(maximum, 'Maximum boundary', schema, path, result);
    const isExclusive = schema.exclusiveMaximum === true;
    if (value > maximum || (isExclusive && value === maximum))
      failLimit(value, `should be less than ${isExclusive ? '' : 'or equal to '}${maximum}`, path, result);
  }
}

/** Whether a number, of the object or of the schema itself, can be had in the schema's type. */
function checkRange(value: number, subject: string, schema: StructuralSchema, path: string, result: ValidationResult): boolean {
  if (fitsType(value, schema)) return true;
  const format = effectiveFormat(schema);
  const text = `${subject} value must be of type ${schema.type} ${format === undefined ? '(default format)' : `with format ${format}`} in ${path}`;
  result.fail(text, valueError('FieldValueInvalid', '', '', text));
  return false;
}

function fitsType(value: number, schema: StructuralSchema): boolean {
  const format = effectiveFormat(schema);
  if (schema.type === 'integer') {
    if (!Number.isInteger(value)) return false;
    return format === 'int32' ? value >= -(2 ** 31) && value < 2 ** 31 : value >= -(2 ** 63) && value < 2 ** 63;
  }
  return schema.type !== 'number' || format !== 'float' || Math.abs(value) <= FLOAT_MAX;
}

function isMultiple(value: number, factor: number): boolean {
  if (factor <= 0) return false;
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

function failLimit(value: number, limit: string, path: string, result: ValidationResult): void {
  const text = `${path} in body ${limit}`;
  result.fail(text, valueError('FieldValueInvalid', path, value, text));
}
