import { isJsonArray, isJsonObject, jsonObject } from '../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../json-value.ts';
import { narrowAtom } from './atom.ts';
import type { Atom, ListAtom, MapAtom } from './atom.ts';
import type { FieldSet } from './field-set.ts';
import { elementAddress } from './list-elements.ts';

/** The value without the given fields. A container that was emptied by this becomes null, and an atomic one met on the way does too. */
export function removeFields(value: JsonValue, fields: FieldSet, atom: Atom): JsonValue {
  const { map, scalar, list } = narrowAtom(atom, value);
  if (map !== undefined) return isJsonObject(value) && !map.atomic ? removeFromMap(value, fields, map) : null;
  if (scalar !== undefined) return value;
  if (list === undefined || list.keys === undefined || !isJsonArray(value)) return null;
  return removeFromList(value, fields, list);
}

function removeFromMap(value: JsonObject, fields: FieldSet, map: MapAtom): JsonValue {
  const entries: [string, JsonValue][] = [];
  for (const [key, child] of Object.entries(value)) {
    const node = fields.get(`f:${key}`);
    if (node?.member) continue;
    const type = map.field(key) ?? map.values?.();
    const isTouched = node !== undefined && type !== undefined;
    entries.push([key, isTouched ? removeFields(child, node.children, type) : child]);
  }
  return entries.length === 0 ? null : jsonObject(entries);
}

function removeFromList(value: JsonArray, fields: FieldSet, list: ListAtom): JsonValue {
  const kept: JsonValue[] = [];
  for (const child of value) {
    const node = fields.get(elementAddress(list, child).text);
    if (node?.member) continue;
    kept.push(node === undefined ? child : removeFields(child, node.children, list.items()));
  }
  return kept.length === 0 ? null : kept;
}
