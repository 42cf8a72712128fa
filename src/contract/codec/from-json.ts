import { Code } from '../../base/index.ts';
import { convertValue, zeroValue } from './convert-value.ts';
import { describeType, isJsonObject, MapObject, MESSAGE_DEPTH_MAX } from './json-value.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { Place } from './place.ts';
import { Kind, Shape } from './plan.ts';
import type { FieldPlan, MessagePlan } from './plan.ts';

/**
 * A value from outside to a checked message: what is unknown is left out, names may be spelled in any case or by an alias,
 * and what says nothing (null, an empty list, a zero that is the same as absence) is absent, just as after decoding the
 * same message from the wire. Refusals name the place.
 */
export function messageFromJson(plan: MessagePlan, value: unknown, code: Code = Code.InvalidArgument): JsonValue {
  const place = new Place(code);
  if (plan.schema.special) return convertValue(Kind[plan.schema.special], value, place, 0);
  return readObject(plan, value, place, 0);
}

function readObject(plan: MessagePlan, value: unknown, place: Place, depth: number): JsonObject {
  if (!isJsonObject(value)) place.fail(depth, `expected an object, got ${describeType(value)}`);
  if (depth > MESSAGE_DEPTH_MAX) place.fail(depth, `messages are nested more than ${MESSAGE_DEPTH_MAX} deep`);
  const result = new plan.Value();
  const names = plan.byName;
  let others = 0;
  for (const key in value) {
    const field = names.get(key);
    if (field === undefined) others++;
    else readField(field, key, value[key], result, place, depth);
  }
  if (others > 0) readOtherNames(plan, value, result, place, depth);
  return result;
}

/** The exact name of a field wins over its aliases, and those over any other spelling. */
function readOtherNames(plan: MessagePlan, value: JsonObject, result: JsonObject, place: Place, depth: number): void {
  const read = (key: string, field: FieldPlan | undefined): void => {
    if (field && !isGiven(value, field) && result[field.name] === undefined) readField(field, key, value[key], result, place, depth);
  };
  const keys = Object.keys(value).filter((key) => !plan.byName.has(key));
  for (const key of keys) read(key, plan.byAlias.get(key));
  for (const key of keys) if (!plan.byAlias.has(key)) read(key, plan.byLowerCase.get(key.toLowerCase()));
}

function isGiven(value: JsonObject, field: FieldPlan): boolean {
  return Object.hasOwn(value, field.name) && value[field.name] !== null;
}

function readField(field: FieldPlan, key: string, item: unknown, result: JsonObject, place: Place, depth: number): void {
  if (item === null || item === undefined) return;
  place.enter(depth, key);
  if (field.shape === Shape.Single) {
    const given = field.text && typeof item === 'string' ? readText(item, place, depth + 1) : item;
    const converted =
      field.kind === Kind.Message ? readObject(field.message!, given, place, depth + 1) : convertValue(field.kind, given, place, depth + 1);
    if (converted !== null && !(field.implicit && isZero(converted))) result[field.name] = converted;
  } else if (field.shape === Shape.List) {
    readList(field, item, result, place, depth + 1);
  } else {
    readMap(field, item, result, place, depth + 1);
  }
}

/** Of the YAML that such text may be, only what we write ourselves is read: no request of the contract holds any. */
function readText(text: string, place: Place, depth: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return place.fail(depth, 'expected an object, or text that holds its JSON');
  }
}

function readList(field: FieldPlan, item: unknown, result: JsonObject, place: Place, depth: number): void {
  if (!Array.isArray(item)) place.fail(depth, `expected an array, got ${describeType(item)}`);
  if (item.length === 0 && !field.keepsEmpty) return;
  const list: JsonValue[] = [];
  for (let index = 0; index < item.length; index++) {
    place.enter(depth, index);
    list.push(readElement(field, item[index], place, depth + 1));
  }
  result[field.name] = list;
}

function readMap(field: FieldPlan, item: unknown, result: JsonObject, place: Place, depth: number): void {
  if (!isJsonObject(item)) place.fail(depth, `expected an object, got ${describeType(item)}`);
  const map = new MapObject();
  let size = 0;
  for (const key in item) {
    place.enter(depth, key);
    map[key] = readElement(field, item[key], place, depth + 1);
    size++;
  }
  if (size > 0 || field.keepsEmpty) result[field.name] = map;
}

function readElement(field: FieldPlan, item: unknown, place: Place, depth: number): JsonValue {
  if (field.kind === Kind.Message) return item === null || item === undefined ? {} : readObject(field.message!, item, place, depth);
  return item === null || item === undefined ? zeroValue(field.kind) : convertValue(field.kind, item, place, depth);
}

/** True for a value that is the same as absence where presence is implicit. */
function isZero(value: JsonValue): boolean {
  if (value === '' || value === 0 || value === false) return true;
  if (!isJsonObject(value)) return false;
  for (const _ in value) return false;
  return true;
}
