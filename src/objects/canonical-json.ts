import { compareStrings } from './apply/compare-json.ts';
import { isJsonArray, isJsonObject, ownValue } from './json-value.ts';
import type { JsonValue } from './json-value.ts';

/** The JSON of a value with the keys of objects sorted: equal values have equal texts, so that a text can be hashed or compared. */
export function canonicalJson(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort(compareStrings);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(ownValue(value, key) ?? null)}`).join(',')}}`;
}
