import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../objects/index.ts';

/**
 * The template of an application set with that of one of its generators over it. What says nothing (`false`, `0`, an empty text) cannot
 * take anything back; lists replace each other whole.
 */
export function mergeTemplates(base: JsonObject, override: JsonValue | undefined): JsonObject {
  if (!isJsonObject(override)) return base;
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(override)) {
    const before = merged.get(key);
    if (isJsonObject(before) && isJsonObject(value)) merged.set(key, mergeTemplates(before, value));
    else if (!saysNothing(value)) merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function saysNothing(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.values(value).every(saysNothing);
  return value === null || value === '' || value === false || value === 0;
}
