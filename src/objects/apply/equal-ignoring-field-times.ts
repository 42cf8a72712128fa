import { isJsonArray, isJsonObject, jsonObject } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { jsonEquals } from './compare-json.ts';
import { managedFieldsOf, withManagedFields } from './managed-fields.ts';

/**
 * Whether two states of an object differ in nothing but the times of their `managedFields`. Such a write must be dropped: an apply that
 * changes nothing shall not make a new version.
 */
export function equalIgnoringFieldTimes(before: JsonObject, after: JsonObject): boolean {
  // What is most likely to differ comes first, and is cheap to compare where most of it is shared.
  if (!jsonEquals(withManagedFields(before, []), withManagedFields(after, []))) return false;
  return jsonEquals(withoutTimes(managedFieldsOf(before)), withoutTimes(managedFieldsOf(after)));
}

function withoutTimes(entries: JsonValue | undefined): JsonValue {
  if (!isJsonArray(entries)) return [];
  return entries.map((entry) => (isJsonObject(entry) ? jsonObject(Object.entries(entry).filter(([key]) => key !== 'time')) : entry));
}
