/** What the room of objects has too, whose door brings much that a thread would have to load for it. */
import type { JsonArray, JsonObject, JsonValue } from '../../objects/index.ts';

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}
