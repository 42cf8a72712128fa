/** The Kubernetes special types on the wire: the content of their messages, without a length in front. */
import { ApiError, Code } from '../../base/index.ts';
import { describeType } from './json-value.ts';
import type { JsonValue } from './json-value.ts';
import { parseFreeJson } from './parse-json-text.ts';
import type { Reader } from './reader.ts';
import { formatMicroseconds, formatSeconds, isWritableTime, parseSeconds, parseTime, ZERO_SECONDS } from './time.ts';
import type { Writer } from './writer.ts';

const TAG_1_VARINT = 0x08;
const TAG_1_BYTES = 0x0a;
const TAG_2_VARINT = 0x10;
const TAG_3_BYTES = 0x1a;

/** Nothing for the zero time. Both fields otherwise, because an empty message would mean the zero time and not 1970. */
export function writeTime(writer: Writer, item: unknown): void {
  const seconds = typeof item === 'string' ? parseSeconds(item) : NaN;
  if (Number.isNaN(seconds)) throw mismatch('an RFC 3339 time', item);
  if (seconds !== ZERO_SECONDS) writeTimestamp(writer, seconds, 0);
}

export function writeMicroTime(writer: Writer, item: unknown): void {
  const time = typeof item === 'string' ? parseTime(item) : undefined;
  if (!time) throw mismatch('an RFC 3339 time', item);
  const nanos = time.nanos - (time.nanos % 1000);
  if (time.seconds !== ZERO_SECONDS || nanos !== 0) writeTimestamp(writer, time.seconds, nanos);
}

function writeTimestamp(writer: Writer, seconds: number, nanos: number): void {
  writer.uint32(nanos);
  writer.uint32(TAG_2_VARINT);
  writer.int64(seconds);
  writer.uint32(TAG_1_VARINT);
}

/** Null for the zero time: an empty message. */
export function readTime(reader: Reader, end: number, depth: number): string | null {
  const empty = reader.position === end;
  let seconds = 0;
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === TAG_1_VARINT) seconds = reader.int64();
    else reader.skip(tag, depth);
  }
  if (empty || seconds === ZERO_SECONDS) return null;
  if (!isWritableTime(seconds)) reader.fail('a time is outside of the years 0001 to 9999');
  return formatSeconds(seconds);
}

export function readMicroTime(reader: Reader, end: number, depth: number): string | null {
  const empty = reader.position === end;
  let seconds = 0;
  let nanos = 0;
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === TAG_1_VARINT) seconds = reader.int64();
    else if (tag === TAG_2_VARINT) nanos = reader.int32();
    else reader.skip(tag, depth);
  }
  if (empty || (seconds === ZERO_SECONDS && nanos < 1000)) return null;
  if (!isWritableTime(seconds) || nanos < 0 || nanos > 999_999_999) reader.fail('a time is outside of the years 0001 to 9999');
  return formatMicroseconds({ seconds, nanos });
}

export function writeIntOrString(writer: Writer, item: unknown): void {
  if (typeof item === 'string') {
    if (item !== '') {
      writer.string(item);
      writer.uint32(TAG_3_BYTES);
    }
    writer.uint32(1);
    writer.uint32(TAG_1_VARINT);
    return;
  }
  if (typeof item !== 'number' || (item | 0) !== item) throw mismatch('a 32-bit whole number or a string', item);
  if (item === 0) return;
  writer.int64(item);
  writer.uint32(TAG_2_VARINT);
}

export function readIntOrString(reader: Reader, end: number, depth: number): number | string {
  let isText = false;
  let number = 0;
  let text = '';
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === TAG_1_VARINT) isText = reader.int64() === 1;
    else if (tag === TAG_2_VARINT) number = reader.int32();
    else if (tag === TAG_3_BYTES) text = reader.string();
    else reader.skip(tag, depth);
  }
  return isText ? text : number;
}

/** Free JSON travels as its text; null is the empty message. */
export function writeRawJson(writer: Writer, item: unknown): void {
  writer.string(JSON.stringify(item));
  writer.uint32(TAG_1_BYTES);
}

export function readRawJson(reader: Reader, end: number, depth: number): JsonValue {
  let value: JsonValue = null;
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag !== TAG_1_BYTES) {
      reader.skip(tag, depth);
      continue;
    }
    const bytes = reader.bytes();
    value = bytes.length === 0 ? null : parseFreeJson(bytes);
  }
  return value;
}

function mismatch(expected: string, item: unknown): ApiError {
  return new ApiError(Code.Internal, `expected ${expected}, got ${typeof item === 'string' ? 'another string' : describeType(item)}`);
}
