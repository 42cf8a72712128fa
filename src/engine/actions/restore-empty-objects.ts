import { isJsonArray, isJsonObject, mapFields } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';

/** Lua does not tell an empty list from an empty object: what was an object before is one again. */
export function restoreEmptyObjects(changed: JsonObject, before: JsonObject): JsonObject {
  return mapFields(changed, (value, name) => (Object.hasOwn(before, name) ? restore(value, before[name] ?? null) : value));
}

function restore(value: JsonValue, before: JsonValue): JsonValue {
  if (isJsonArray(value) && isJsonArray(before))
    return value.map((item, index) => (index < before.length ? restore(item, before[index] ?? null) : item));
  if (isJsonArray(value) && value.length === 0 && isJsonObject(before)) return {};
  return isJsonObject(value) && isJsonObject(before) ? restoreEmptyObjects(value, before) : value;
}
