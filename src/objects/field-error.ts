import type { JsonValue } from './json-value.ts';

/** Why a field of an object is refused, in the words of a Status cause. */
export type FieldErrorReason =
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueInvalid'
  | 'FieldValueNotFound'
  | 'FieldValueNotSupported'
  | 'FieldValueRequired'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid';

/** One cause of a Status: the field's path, and what is wrong with it without the path. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly message: string;
}

export function invalidValue(field: string, value: JsonValue, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: withDetail(`Invalid value: ${JSON.stringify(value)}`, detail) };
}

export function requiredValue(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) };
}

export function forbiddenValue(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: withDetail('Forbidden', detail) };
}

export function tooLongValue(field: string, sizeBytesMax: number): FieldError {
  return { reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${sizeBytesMax} bytes` };
}

/** The error with its path, as one line. */
export function describeFieldError({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}

/** Several errors as one line, each text once. */
export function describeFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(describeFieldError))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

function withDetail(text: string, detail: string): string {
  return detail === '' ? text : `${text}: ${detail}`;
}
