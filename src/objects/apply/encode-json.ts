import { isJsonArray, isJsonObject } from '../json-value.ts';
import type { JsonValue } from '../json-value.ts';
import { compareStrings } from './compare-json.ts';

const ESCAPED: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' };

/**
 * JSON as the API server writes it: keys sorted, and what HTML gives a meaning escaped. Equal values have equal texts, and texts that
 * the API server stored (in field sets, in annotations) can be compared with ours.
 */
export function encodeSortedJson(value: JsonValue): string {
  if (typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
  return JSON.stringify(typeof value === 'string' ? value : sortKeys(value)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => ESCAPED[character] ?? character,
  );
}

function sortKeys(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => compareStrings(left, right))
      .map(([key, item]) => [key, sortKeys(item)]),
  );
}
