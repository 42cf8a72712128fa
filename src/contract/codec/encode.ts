import { Buffer } from 'node:buffer';
import { ApiError, Code } from '../../base/index.ts';
import { describeType, isJsonObject, MESSAGE_DEPTH_MAX, sortedKeys } from './json-value.ts';
import type { JsonObject } from './json-value.ts';
import { Kind, Shape, tagOf } from './plan.ts';
import type { FieldPlan, MessagePlan } from './plan.ts';
import { writeIntOrString, writeMicroTime, writeRawJson, writeTime } from './special-wire.ts';
import { Writer } from './writer.ts';

const KEY_TAG = tagOf(1, Kind.String);

// One writer for all: encoding is synchronous and never calls out, so no two encodings overlap.
const shared = new Writer();

/** Plain JSON to protobuf bytes. Throws an ApiError if a value does not fit its field. */
export function encodeMessage(plan: MessagePlan, value: JsonObject): Uint8Array {
  shared.reset();
  if (plan.schema.special) writeSpecial(plan, value);
  else writeFields(shared, plan, value, 0);
  return shared.take();
}

/** A special message on its own is its bytes without a length in front. */
function writeSpecial(plan: MessagePlan, value: unknown): void {
  writeContent(shared, kindOfSpecial(plan), value);
}

function kindOfSpecial(plan: MessagePlan): Kind {
  return Kind[plan.schema.special!];
}

function writeFields(writer: Writer, plan: MessagePlan, value: JsonObject, depth: number): void {
  if (depth > MESSAGE_DEPTH_MAX) throw mismatch(`at most ${MESSAGE_DEPTH_MAX} nested messages`, 'more');
  const fields = plan.descending;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!;
    if (field.shape === Shape.Inline) {
      writeInline(writer, field, value, depth);
      continue;
    }
    const item = value[field.name];
    if (item === undefined || item === null) {
      if (field.required) writeZero(writer, field);
      continue;
    }
    if (field.shape === Shape.Single) writeSingle(writer, field, item, depth);
    else if (field.shape === Shape.List) writeList(writer, field, item, depth);
    else writeMap(writer, field, item, depth);
  }
}

function writeInline(writer: Writer, field: FieldPlan, value: JsonObject, depth: number): void {
  const before = writer.used;
  writeFields(writer, field.message!, value, depth + 1);
  const size = writer.used - before;
  const keptEmpty = field.keepsEmpty && (value[field.message!.json[0]!.name] ?? null) !== null;
  if (size === 0 && !keptEmpty) return;
  writer.uint32(size);
  writer.uint32(field.tag);
}

function writeZero(writer: Writer, field: FieldPlan): void {
  writer.uint32(0);
  writer.uint32(field.tag);
}

function writeSingle(writer: Writer, field: FieldPlan, item: unknown, depth: number): void {
  if (field.implicit && (item === '' || item === 0 || item === false)) return;
  if (field.kind === Kind.Message) {
    const before = writer.used;
    if (!isJsonObject(item)) throw mismatch('an object', item);
    writeFields(writer, field.message!, item, depth + 1);
    const size = writer.used - before;
    if (size === 0 && field.implicit) return;
    writer.uint32(size);
  } else {
    writeValue(writer, field, item, depth);
  }
  writer.uint32(field.tag);
}

function writeList(writer: Writer, field: FieldPlan, list: unknown, depth: number): void {
  if (!Array.isArray(list)) throw mismatch('an array', list);
  for (let index = list.length - 1; index >= 0; index--) {
    writeValue(writer, field, list[index], depth);
    writer.uint32(field.tag);
  }
}

function writeMap(writer: Writer, field: FieldPlan, map: unknown, depth: number): void {
  if (!isJsonObject(map)) throw mismatch('an object', map);
  const keys = sortedKeys(map);
  const valueTag = tagOf(2, field.kind);
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index]!;
    const before = writer.used;
    writeValue(writer, field, map[key], depth);
    writer.uint32(valueTag);
    writer.string(key);
    writer.uint32(KEY_TAG);
    writer.uint32(writer.used - before);
    writer.uint32(field.tag);
  }
}

/** One value without its tag; for null, the zero value, because a list or map cannot leave a place empty. */
function writeValue(writer: Writer, field: FieldPlan, item: unknown, depth: number): void {
  switch (field.kind) {
    case Kind.String:
      if (typeof item !== 'string') item = zeroOr(item, '', 'a string');
      writer.string(item as string);
      return;
    case Kind.Bool:
      if (typeof item !== 'boolean') item = zeroOr(item, false, 'a boolean');
      writer.uint32(item === true ? 1 : 0);
      return;
    case Kind.Int32:
    case Kind.Int64:
      writer.int64(wholeNumber(field.kind, item));
      return;
    case Kind.Bytes:
      if (typeof item !== 'string') item = zeroOr(item, '', 'a base64 string');
      writer.bytes(Buffer.from(item as string, 'base64'));
      return;
    case Kind.Message:
    case Kind.Time:
    case Kind.MicroTime:
    case Kind.IntOrString:
    case Kind.RawJson: {
      const before = writer.used;
      if (field.kind !== Kind.Message) writeContent(writer, field.kind, item);
      else if (isJsonObject(item)) writeFields(writer, field.message!, item, depth + 1);
      else zeroOr(item, undefined, 'an object');
      writer.uint32(writer.used - before);
    }
  }
}

function writeContent(writer: Writer, kind: Kind, item: unknown): void {
  if (item === undefined || item === null) return;
  if (kind === Kind.Time) writeTime(writer, item);
  else if (kind === Kind.MicroTime) writeMicroTime(writer, item);
  else if (kind === Kind.IntOrString) writeIntOrString(writer, item);
  else writeRawJson(writer, item);
}

function wholeNumber(kind: Kind, item: unknown): number {
  if (item === null || item === undefined) return 0;
  const fits = kind === Kind.Int32 ? (item as number) === ((item as number) | 0) : Number.isSafeInteger(item);
  if (typeof item !== 'number' || !fits) throw mismatch(kind === Kind.Int32 ? 'a 32-bit whole number' : 'a whole number', item);
  return item;
}

function zeroOr<Zero>(item: unknown, zero: Zero, expected: string): Zero {
  if (item !== null && item !== undefined) throw mismatch(expected, item);
  return zero;
}

/** The value was built here and not received, so a value of the wrong type is a failure of ours. */
function mismatch(expected: string, item: unknown): ApiError {
  return new ApiError(Code.Internal, `expected ${expected}, got ${describeType(item)}`);
}
