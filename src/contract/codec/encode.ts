import { Buffer } from 'node:buffer';
import { ApiError, Code } from '../../base/index.ts';
import { describeType, isJsonObject, MESSAGE_DEPTH_MAX, sortedKeys } from './json-value.ts';
import type { JsonObject } from './json-value.ts';
import { FIELDS_MAX, Kind, Shape, tagOf } from './plan.ts';
import type { FieldPlan, MessagePlan } from './plan.ts';
import { writeIntOrString, writeMicroTime, writeRawJson, writeTime } from './special-wire.ts';
import { Writer } from './writer.ts';

const KEY_TAG = tagOf(1, Kind.String);

// One writer and one workplace for all: encoding is synchronous and never calls out, so no two encodings overlap.
const shared = new Writer();
/** The items of the messages that are being written, one row of places for each level of nesting. */
const items: unknown[] = Array.from({ length: FIELDS_MAX * (MESSAGE_DEPTH_MAX + 1) }, () => undefined);

/** Plain JSON to protobuf bytes. Throws an ApiError if a value does not fit its field. */
export function encodeMessage(plan: MessagePlan, value: JsonObject): Uint8Array {
  shared.reset();
  try {
    if (plan.schema.special) writeSpecial(plan, value);
    else writeFields(shared, plan, value, 0);
  } catch (error) {
    // What a failed encoding left there belongs to no later one.
    items.fill(undefined);
    throw error;
  }
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
  const fields = plan.ascending;
  if (plan.fieldByField) {
    for (let index = fields.length - 1; index >= 0; index--) {
      const field = fields[index]!;
      if (field.shape === Shape.Inline) writeInline(writer, field, value, depth);
      else writeField(writer, field, value[field.name], depth);
    }
    return;
  }
  const first = depth * FIELDS_MAX;
  for (let present = collectItems(plan, value, first); present !== 0;) {
    const index = 31 - Math.clz32(present);
    present ^= 1 << index;
    const item = items[first + index];
    items[first + index] = undefined;
    writeField(writer, fields[index]!, item, depth);
  }
}

/**
 * Puts the fields that a value has into their places in `items`, and says which these are: a bit for each. To go through the
 * keys that are there is far quicker than to ask for each key that could be; and as values of a message mostly have their
 * keys in the same order, the key that came next the last time is tried before the table is asked.
 */
function collectItems(plan: MessagePlan, value: JsonObject, first: number): number {
  let present = plan.requiredBits;
  let last: FieldPlan | undefined;
  for (const key in value) {
    let field: FieldPlan | undefined = last === undefined ? plan.first : last.follower;
    if (field === undefined || field.name !== key) {
      field = plan.byName.get(key);
      if (field === undefined) continue;
      if (last === undefined) plan.first = field;
      else last.follower = field;
    }
    last = field;
    present |= 1 << field.index;
    items[first + field.index] = value[key];
  }
  return present;
}

function writeField(writer: Writer, field: FieldPlan, item: unknown, depth: number): void {
  if (item === undefined || item === null) {
    if (field.required) writeZero(writer, field);
    return;
  }
  if (field.shape === Shape.Single) writeSingle(writer, field, item, depth);
  else if (field.shape === Shape.List) writeList(writer, field, item, depth);
  else writeMap(writer, field, item, depth);
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
