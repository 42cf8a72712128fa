import { isJsonArray, isJsonObject } from '../json-value.ts';
import type { JsonValue } from '../json-value.ts';
import { compareStrings } from './compare-json.ts';

// The API server's messages show values as Go prints them, and clients show those messages to people who search for them.

/** The name of the type that Go decodes a JSON value to. */
export function printGoType(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (isJsonArray(value)) return '[]interface {}';
  return value === null ? '<nil>' : 'map[string]interface {}';
}

/** Go's plain form (`%v`): `map[a:1 b:[x y]]`, keys sorted. */
export function printGoValue(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (isJsonArray(value)) return `[${value.map(printGoValue).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const entries = sortedEntries(value);
  return `map[${entries.map(([key, item]) => `${key}:${printGoValue(item)}`).join(' ')}]`;
}

/** Go's syntax form (`%#v`): `map[string]interface {}{"a":1}`, keys sorted. */
export function printGoSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return JSON.stringify(value);
  if (isJsonArray(value)) return `[]interface {}{${value.map(printGoSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  const entries = sortedEntries(value);
  return `map[string]interface {}{${entries.map(([key, item]) => `${JSON.stringify(key)}:${printGoSyntax(item)}`).join(', ')}}`;
}

function sortedEntries(value: { readonly [key: string]: JsonValue }): [string, JsonValue][] {
  return Object.entries(value).sort(([left], [right]) => compareStrings(left, right));
}
