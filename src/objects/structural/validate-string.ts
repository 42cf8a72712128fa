import { fieldError, valueError } from './make-field-error.ts';
import { hasFormat } from './formats.ts';
import { fitsPattern, type PatternBudget } from './pattern.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { effectiveFormat } from './validate-type.ts';
import type { ValidationResult } from './validation-result.ts';

interface Subject {
  readonly path: string;
  readonly setting: { readonly budget: PatternBudget };
}

/** Checks length, pattern and format; the first of length and pattern that fails hides the others. Returns how many formats applied. */
export function validateString(value: string, schema: StructuralSchema, { path, setting }: Subject, result: ValidationResult): number {
  const failure = firstFailure(value, schema, { path, setting });
  if (failure !== undefined) {
    const isTooLong = schema.maxLength !== undefined && lengthOf(value) > schema.maxLength;
    result.fail(
      failure,
      isTooLong
        ? fieldError('FieldValueTooLong', path, tooLong(schema.maxLength ?? 0))
        : valueError('FieldValueInvalid', path, value, failure),
    );
  }
  const format = effectiveFormat(schema);
  if (format === undefined) return 0;
  if (hasFormat(value, format) === false) {
    const text = `${path} in body must be of type ${format}: ${JSON.stringify(value)}`;
    result.fail(text, valueError('FieldValueTypeInvalid', path, value, text));
  }
  return 1;
}

function firstFailure(value: string, { maxLength, minLength, pattern }: StructuralSchema, { path, setting }: Subject): string | undefined {
  if (maxLength !== undefined && lengthOf(value) > maxLength) return `${path} in body should be at most ${maxLength} chars long`;
  if (minLength !== undefined && lengthOf(value) < minLength) return `${path} in body should be at least ${minLength} chars long`;
  if (pattern === undefined) return undefined;
  const fits = fitsPattern(value, pattern, setting.budget);
  if (fits === true) return undefined;
  const why = fits === false ? '' : `, but pattern is invalid: ${fits.message}`;
  return `${path} in body should match '${pattern}${why}'`;
}

/** Characters, not UTF-16 units. */
function lengthOf(value: string): number {
  let length = 0;
  for (const _character of value) length++;
  return length;
}

function tooLong(maximum: number): string {
  return `may not be more than ${maximum} ${maximum === 1 ? 'byte' : 'bytes'}`;
}
