import { Code } from '../../base/index.ts';
import { convertValue, zeroValue } from './convert-value.ts';
import { messageFromJson } from './from-json.ts';
import { describeType, isJsonObject, MapObject, MESSAGE_DEPTH_MAX, sortedKeys } from './json-value.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { Place } from './place.ts';
import { Kind, Shape } from './plan.ts';
import type { FieldPlan, MessagePlan } from './plan.ts';

/**
 * A message to what clients of this API expect as its JSON: only known fields, in the order of the contract, empty ones
 * left out except those that are always shown, special values in their one written form.
 */
export function messageToJson(plan: MessagePlan, value: JsonObject): JsonValue {
  const place = new Place(Code.Internal);
  if (plan.schema.special) return convertValue(Kind[plan.schema.special], value, place, 0);
  return writeObject(plan, value, place, 0);
}

function writeObject(plan: MessagePlan, value: unknown, place: Place, depth: number): JsonObject {
  if (!isJsonObject(value)) place.fail(depth, `expected an object, got ${describeType(value)}`);
  if (depth > MESSAGE_DEPTH_MAX) place.fail(depth, `messages are nested more than ${MESSAGE_DEPTH_MAX} deep`);
  const result = new plan.Value();
  const fields = plan.json;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!;
    const item = value[field.name];
    let shown: JsonValue | undefined;
    if (item !== undefined && item !== null) {
      place.enter(depth, field.name);
      shown = writeField(field, item, place, depth + 1);
    }
    if (shown === undefined && field.always !== 'no') shown = field.always === 'null' ? null : zeroField(field);
    if (shown !== undefined) result[field.name] = shown;
  }
  return result;
}

/** Undefined for a value that is not shown. */
function writeField(field: FieldPlan, item: JsonValue, place: Place, depth: number): JsonValue | undefined {
  if (field.shape === Shape.List) return writeList(field, item, place, depth);
  if (field.shape === Shape.Map) return writeMap(field, item, place, depth);
  if (field.kind !== Kind.Message) {
    const shown = convertValue(field.kind, item, place, depth);
    return shown === null || (field.implicit && (shown === '' || shown === 0 || shown === false)) ? undefined : shown;
  }
  const shown = writeObject(field.message!, item, place, depth);
  if (field.implicit && isEmptyMessage(field.message!, item)) return undefined;
  return field.text ? JSON.stringify(shown) : shown;
}

function writeList(field: FieldPlan, item: JsonValue, place: Place, depth: number): JsonValue[] | undefined {
  if (!Array.isArray(item)) return place.fail(depth, `expected an array, got ${describeType(item)}`);
  if (item.length === 0 && !field.keepsEmpty) return undefined;
  const list: JsonValue[] = [];
  for (let index = 0; index < item.length; index++) {
    place.enter(depth, index);
    list.push(writeElement(field, item[index], place, depth + 1));
  }
  return list;
}

function writeMap(field: FieldPlan, item: JsonValue, place: Place, depth: number): JsonObject | undefined {
  if (!isJsonObject(item)) return place.fail(depth, `expected an object, got ${describeType(item)}`);
  const map = new MapObject();
  let size = 0;
  for (const key of sortedKeys(item)) {
    place.enter(depth, key);
    map[key] = writeElement(field, item[key], place, depth + 1);
    size++;
  }
  return size > 0 || field.keepsEmpty ? map : undefined;
}

function writeElement(field: FieldPlan, item: JsonValue | undefined, place: Place, depth: number): JsonValue {
  if (field.kind === Kind.Message) return writeObject(field.message!, item ?? {}, place, depth);
  return item === undefined || item === null ? zeroValue(field.kind) : convertValue(field.kind, item, place, depth);
}

function zeroField(field: FieldPlan): JsonValue {
  if (field.shape === Shape.List) return [];
  if (field.shape === Shape.Map) return {};
  if (field.kind !== Kind.Message) return zeroValue(field.kind);
  return field.text ? JSON.stringify(zeroObject(field.message!)) : zeroObject(field.message!);
}

/** The fields of an absent message that are shown all the same. */
function zeroObject(plan: MessagePlan): JsonObject {
  const result: JsonObject = {};
  for (const field of plan.json) if (field.always !== 'no') result[field.name] = field.always === 'null' ? null : zeroField(field);
  return result;
}

function isEmptyMessage(plan: MessagePlan, item: JsonValue): boolean {
  return Object.keys(messageFromJson(plan, item, Code.Internal) as JsonObject).length === 0;
}
