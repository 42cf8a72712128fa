import { isJsonArray, isJsonObject, jsonObject } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { jsonEquals } from './compare-json.ts';
import { managedFieldsOf, withManagedFields } from './managed-fields.ts';

/**
 * Whether two states of an object differ in nothing but the times of their `managedFields`. Such a write must be dropped: an apply that
 * changes nothing shall not make a new version.
 */
export function equalIgnoringFieldTimes(before: JsonObject, after: JsonObject): boolean {
  if (!jsonEquals(withoutTimes(managedFieldsOf(before)), withoutTimes(managedFieldsOf(after)))) return false;
  return jsonEquals(withManagedFields(before, []), withManagedFields(after, []));
}

function withoutTimes(entries: JsonValue | undefined): JsonValue {
  if (!isJsonArray(entries)) return [];
  return entries.map((entry) => (isJsonObject(entry) ? jsonObject(Object.entries(entry).filter(([key]) => key !== 'time')) : entry));
}
