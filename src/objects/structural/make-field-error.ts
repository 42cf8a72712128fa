import { compareStrings } from '../apply/compare-json.ts';
import { encodeSortedJson } from '../apply/encode-json.ts';
import { describeFieldError } from '../field-error.ts';
import type { FieldError, FieldErrorReason } from '../field-error.ts';
import type { JsonValue } from '../json-value.ts';

/** The words that a message of each kind starts with. */
const REASONS: Record<FieldErrorReason, string> = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotFound: 'Not found',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
};

/** A field error without a value to show; the object itself is `<nil>`, as the API server calls it. */
export function fieldError(reason: FieldErrorReason, field: string, detail: string): FieldError {
  return { reason, field: field === '' ? '<nil>' : field, message: detail === '' ? REASONS[reason] : `${REASONS[reason]}: ${detail}` };
}

/** A field error that shows the bad value. */
export function valueError(reason: FieldErrorReason, field: string, value: JsonValue, detail: string): FieldError {
  return fieldError(reason, field, `${printBadValue(value)}${detail === '' ? '' : `: ${detail}`}`);
}

/** The path of a map entry, as `spec.labels[app]`. */
export function keyPath(path: string, key: string): string {
  return `${path}[${key}]`;
}

export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Only what is inside something is escaped as the API server writes JSON; a text by itself is quoted as it is. */
function printBadValue(value: JsonValue): string {
  return typeof value === 'string' ? JSON.stringify(value) : encodeSortedJson(value);
}

/** Sorted as texts, so that a list of errors does not depend on the order of fields. */
export function sortFieldErrors(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.toSorted((left, right) => compareStrings(describeFieldError(left), describeFieldError(right)));
}
