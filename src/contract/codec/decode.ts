import { MapObject, MESSAGE_DEPTH_MAX } from './json-value.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { Kind, Shape } from './plan.ts';
import type { FieldPlan, MessagePlan } from './plan.ts';
import { Reader, WireType } from './reader.ts';
import { readIntOrString, readMicroTime, readRawJson, readTime } from './special-wire.ts';

const KEY_TAG = 0x0a;
const VALUE_NUMBER = 2;

/** Protobuf bytes to plain JSON. Throws an ApiError if they are not a message of this kind. */
export function decodeMessage(plan: MessagePlan, bytes: Uint8Array): JsonValue {
  const reader = new Reader(bytes);
  if (plan.schema.special) return readContent(reader, Kind[plan.schema.special], reader.end, 0);
  return readFields(reader, plan, new plan.Value(), 0);
}

/** Reads up to the reader's end, into an object that may already hold fields: a message that comes twice is merged. */
function readFields(reader: Reader, plan: MessagePlan, into: JsonObject, depth: number): JsonObject {
  if (depth > MESSAGE_DEPTH_MAX) reader.fail(`messages are nested more than ${MESSAGE_DEPTH_MAX} deep`);
  const fields = plan.byNumber;
  const end = reader.end;
  // The elements of a list mostly follow each other, so the list is kept at hand.
  let list: JsonValue[] = [];
  let listField: FieldPlan | undefined;
  while (reader.position < end) {
    const tag = reader.tag();
    const number = tag >>> 3;
    const field = number < fields.length ? fields[number] : undefined;
    if (field === undefined) {
      reader.skip(tag, depth);
      continue;
    }
    if (tag !== field.tag) readPackedOrFail(reader, field, tag, into);
    else if (field.shape === Shape.Single) readSingle(reader, field, into, depth);
    else if (field.shape === Shape.List) {
      const value = readValue(reader, field, depth);
      if (field === listField) {
        list.push(value);
      } else {
        list = addToList(into, field, value);
        listField = field;
      }
    } else if (field.shape === Shape.Map) readEntry(reader, field, into, depth);
    else readInline(reader, field, into, depth);
  }
  return into;
}

function readSingle(reader: Reader, field: FieldPlan, into: JsonObject, depth: number): void {
  const name = field.name;
  if (field.kind === Kind.Message) {
    const known = into[name] as JsonObject | undefined;
    const value = readNested(reader, field.message!, known ?? new field.message!.Value(), depth);
    if (known === undefined && !(field.implicit && isEmpty(value))) into[name] = value;
    return;
  }
  const value = readValue(reader, field, depth);
  if (value === null || (field.implicit && (value === '' || value === 0 || value === false))) {
    // The last value on the wire counts, also when it is the one that is not shown.
    if (into[name] !== undefined) delete into[name];
    return;
  }
  into[name] = value;
}

function readValue(reader: Reader, field: FieldPlan, depth: number): JsonValue {
  switch (field.kind) {
    case Kind.String:
      return reader.string();
    case Kind.Bool:
      return reader.bool();
    case Kind.Int32:
      return reader.int32();
    case Kind.Int64:
      return reader.int64();
    case Kind.Bytes:
      return reader.bytes().toString('base64');
    case Kind.Message:
      return readNested(reader, field.message!, new field.message!.Value(), depth);
    case Kind.Time:
    case Kind.MicroTime:
    case Kind.IntOrString:
    case Kind.RawJson: {
      const outer = reader.end;
      const end = (reader.end = reader.limit());
      const value = readContent(reader, field.kind, end, depth + 1);
      reader.end = outer;
      return value;
    }
  }
}

function readNested(reader: Reader, plan: MessagePlan, into: JsonObject, depth: number): JsonObject {
  reader.countMessage();
  const outer = reader.end;
  reader.end = reader.limit();
  readFields(reader, plan, into, depth + 1);
  reader.end = outer;
  return into;
}

function readInline(reader: Reader, field: FieldPlan, into: JsonObject, depth: number): void {
  if (field.keepsEmpty) {
    const inner = field.message!.json[0]!;
    into[inner.name] ??= inner.shape === Shape.List ? [] : new MapObject();
  }
  readNested(reader, field.message!, into, depth);
}

function readContent(reader: Reader, kind: Kind, end: number, depth: number): JsonValue {
  if (kind === Kind.Time) return readTime(reader, end, depth);
  if (kind === Kind.MicroTime) return readMicroTime(reader, end, depth);
  if (kind === Kind.IntOrString) return readIntOrString(reader, end, depth);
  return readRawJson(reader, end, depth);
}

function addToList(into: JsonObject, field: FieldPlan, value: JsonValue): JsonValue[] {
  const known = into[field.name] as JsonValue[] | undefined;
  if (known !== undefined) {
    known.push(value);
    return known;
  }
  const list = [value];
  into[field.name] = list;
  return list;
}

function readEntry(reader: Reader, field: FieldPlan, into: JsonObject, depth: number): void {
  reader.countMessage();
  const outer = reader.end;
  const end = (reader.end = reader.limit());
  let key = '';
  let value: JsonValue | undefined;
  while (reader.position < end) {
    const tag = reader.tag();
    if (tag === KEY_TAG) key = reader.string();
    else if (tag >>> 3 === VALUE_NUMBER && (tag & 7) === valueWireType(field.kind)) value = readValue(reader, field, depth + 1);
    else reader.skip(tag, depth + 1);
  }
  reader.end = outer;
  let map = into[field.name] as JsonObject | undefined;
  if (map === undefined) into[field.name] = map = new MapObject();
  map[key] = value ?? zeroOf(field.kind);
}

function valueWireType(kind: Kind): number {
  return kind === Kind.Bool || kind === Kind.Int32 || kind === Kind.Int64 ? WireType.Varint : WireType.Bytes;
}

/** What a map entry without a value holds. */
function zeroOf(kind: Kind): JsonValue {
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
      return {};
    case Kind.Time:
    case Kind.MicroTime:
    case Kind.RawJson:
      return null;
  }
}

/** Lists of numbers may come packed: all in one piece. Any other surprise in the wire type is refused. */
function readPackedOrFail(reader: Reader, field: FieldPlan, tag: number, into: JsonObject): void {
  const packable = field.shape === Shape.List && valueWireType(field.kind) === WireType.Varint;
  if (!packable || (tag & 7) !== WireType.Bytes) reader.fail(`field ${field.name} has wire type ${tag & 7}`);
  const outer = reader.end;
  const end = (reader.end = reader.limit());
  while (reader.position < end) addToList(into, field, readValue(reader, field, 0));
  reader.end = outer;
}

function isEmpty(value: JsonObject): boolean {
  for (const _ in value) return false;
  return true;
}
