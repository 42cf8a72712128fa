import { valueError } from './make-field-error.ts';
import type { StructuralSchema } from './structural-schema.ts';
import type { ValidationResult } from './validation-result.ts';

/** Checks the value that is being looked at against another schema. */
export type Check = (alternative: StructuralSchema) => ValidationResult;

/** Checks `anyOf`, `oneOf`, `allOf` and `not`. Their own failures have no field, so they name the path in words. */
export function validateJunctors(schema: StructuralSchema, check: Check, path: string, result: ValidationResult): void {
  if (schema.anyOf !== undefined && schema.anyOf.length > 0) validateAnyOf(schema.anyOf, check, path, result);
  if (schema.oneOf !== undefined && schema.oneOf.length > 0) validateOneOf(schema.oneOf, check, path, result);
  if (schema.allOf !== undefined && schema.allOf.length > 0) validateAllOf(schema.allOf, check, path, result);
  if (schema.not !== undefined && check(schema.not).isValid) fail(`${quote(path)} must not validate the schema (not)`, result);
  result.matches++;
}

function validateAnyOf(alternatives: readonly StructuralSchema[], check: Check, path: string, result: ValidationResult): void {
  let best: ValidationResult | undefined;
  for (const alternative of alternatives) {
    const own = check(alternative);
    if (own.isValid) {
      result.merge(own);
      return;
    }
    if (best === undefined || own.matches > best.matches) best = own;
  }
  fail(`${quote(path)} must validate at least one schema (anyOf)`, result);
  if (best !== undefined) result.merge(best);
}

function validateOneOf(alternatives: readonly StructuralSchema[], check: Check, path: string, result: ValidationResult): void {
  let best: ValidationResult | undefined;
  const valid: ValidationResult[] = [];
  for (const alternative of alternatives) {
    const own = check(alternative);
    if (own.isValid) {
      valid.push(own);
      best = undefined;
    } else if (valid.length === 0 && (best === undefined || own.matches > best.matches)) best = own;
  }
  const [only] = valid;
  if (valid.length === 1 && only !== undefined) {
    result.merge(only);
    return;
  }
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  fail(`${quote(path)} must validate one and only one schema (oneOf). ${found}`, result);
  if (best !== undefined) result.merge(best);
}

function validateAllOf(parts: readonly StructuralSchema[], check: Check, path: string, result: ValidationResult): void {
  let valid = 0;
  for (const part of parts) {
    const own = check(part);
    if (own.isValid) valid++;
    result.merge(own);
  }
  if (valid !== parts.length) fail(`${quote(path)} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`, result);
}

function fail(text: string, result: ValidationResult): void {
  result.fail(text, valueError('FieldValueInvalid', '', '', text));
}

function quote(path: string): string {
  return JSON.stringify(path);
}
