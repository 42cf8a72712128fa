/** Single JSON values, checked and brought into their one written form. Both directions of JSON use these. */
import { Buffer } from 'node:buffer';
import { describeType, JSON_DEPTH_MAX } from './json-value.ts';
import type { JsonValue } from './json-value.ts';
import { Kind } from './plan.ts';
import type { Place } from './place.ts';
import { formatMicroseconds, formatSeconds, parseSeconds, parseTime, ZERO_SECONDS } from './time.ts';

const DECIMAL = /^-?\d{1,16}$/;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** What a value that is null or absent means where a place cannot be left empty: in a list, a map, or when always shown. */
export function zeroValue(kind: Kind): string | number | boolean | null {
  switch (kind) {
    case Kind.String:
    case Kind.Bytes:
      return '';
    case Kind.Bool:
      return false;
    case Kind.Int32:
    case Kind.Int64:
    case Kind.IntOrString:
      return 0;
    case Kind.Message:
    case Kind.Time:
    case Kind.MicroTime:
    case Kind.RawJson:
      return null;
  }
}

/** Any value that is not a message. Null stands for the zero time and for free JSON that is not there. */
export function convertValue(kind: Kind, value: unknown, place: Place, depth: number): JsonValue {
  switch (kind) {
    case Kind.String:
      if (typeof value !== 'string') break;
      return value;
    case Kind.Bool:
      if (typeof value !== 'boolean') break;
      return value;
    case Kind.Int32:
    case Kind.Int64:
      return convertNumber(kind, value, place, depth);
    case Kind.Bytes:
      return convertBytes(value, place, depth);
    case Kind.Time:
      return convertTime(value, place, depth);
    case Kind.MicroTime:
      return convertMicroTime(value, place, depth);
    case Kind.IntOrString:
      if (typeof value === 'string' || (typeof value === 'number' && (value | 0) === value)) return value;
      return place.fail(depth, `expected a 32-bit whole number or a string, got ${describeType(value)}`);
    case Kind.Message:
    case Kind.RawJson:
      checkFreeJson(value, place, depth, 0);
      return value as JsonValue;
  }
  return place.fail(depth, `expected a ${kind === Kind.Bool ? 'boolean' : 'string'}, got ${describeType(value)}`);
}

function convertNumber(kind: Kind, value: unknown, place: Place, depth: number): number {
  // Clients that follow protobuf's own JSON form write 64-bit numbers as strings.
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  if (typeof number !== 'number') return place.fail(depth, `expected a number, got ${describeType(value)}`);
  if (!Number.isInteger(number)) return place.fail(depth, 'expected a whole number');
  if (kind === Kind.Int32 ? (number | 0) !== number : !Number.isSafeInteger(number))
    return place.fail(depth, `the number is beyond ${kind === Kind.Int32 ? '32 bits' : '±(2^53 - 1)'}`);
  return number === 0 ? 0 : number;
}

function convertBytes(value: unknown, place: Place, depth: number): string {
  if (typeof value !== 'string') return place.fail(depth, `expected a base64 string, got ${describeType(value)}`);
  if (!BASE64.test(value)) return place.fail(depth, 'expected a base64 string, got another string');
  return Buffer.from(value, 'base64').toString('base64');
}

function convertTime(value: unknown, place: Place, depth: number): string | null {
  if (value === null || value === undefined) return null;
  const seconds = typeof value === 'string' ? parseSeconds(value) : failTime(value, place, depth);
  if (Number.isNaN(seconds)) failTime(value, place, depth);
  return seconds === ZERO_SECONDS ? null : formatSeconds(seconds);
}

function convertMicroTime(value: unknown, place: Place, depth: number): string | null {
  if (value === null || value === undefined) return null;
  const time = (typeof value === 'string' ? parseTime(value) : undefined) ?? failTime(value, place, depth);
  return time.seconds === ZERO_SECONDS && time.nanos < 1000 ? null : formatMicroseconds(time);
}

function failTime(value: unknown, place: Place, depth: number): never {
  const got = typeof value === 'string' ? 'another string' : describeType(value);
  return place.fail(depth, `expected an RFC 3339 time such as 2024-01-02T03:04:05Z, got ${got}`);
}

/** Free JSON is passed on as it is, once it is known that it can be written again. */
function checkFreeJson(value: unknown, place: Place, depth: number, level: number): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) place.fail(depth, 'the number is too large');
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (level >= JSON_DEPTH_MAX) place.fail(depth, `nested more than ${JSON_DEPTH_MAX} deep`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) checkFreeJson(value[index], place, depth, level + 1);
    return;
  }
  for (const key in value) checkFreeJson((value as Record<string, unknown>)[key], place, depth, level + 1);
}
