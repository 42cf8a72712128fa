import { isJsonArray, isJsonObject } from '../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../json-value.ts';

/** Deep equality of values; the order of keys does not count, and a number is a number. */
export function jsonEquals(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left)) {
    if (!isJsonArray(right) || left.length !== right.length) return false;
    for (let index = 0; index < left.length; index++) if (!jsonEquals(left[index], right[index])) return false;
    return true;
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) if (!Object.hasOwn(right, key) || !jsonEquals(left[key], right[key])) return false;
  return true;
}

/** Orders strings by code point, which is how UTF-8 bytes sort; UTF-16 units would put some characters elsewhere. */
export function compareStrings(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const own = left.charCodeAt(index);
    const other = right.charCodeAt(index);
    if (own !== other) return sortRank(own) - sortRank(other);
  }
  return left.length - right.length;
}

/** Surrogates stand for the highest code points, but are not the highest units. */
function sortRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/** A total order over values of any type: numbers, strings, booleans, lists, objects, null. */
export function compareJson(left: JsonValue, right: JsonValue): number {
  const rank = typeRank(left) - typeRank(right);
  if (rank !== 0) return rank;
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return compareStrings(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (isJsonArray(left) && isJsonArray(right)) return compareLists(left, right);
  if (isJsonObject(left) && isJsonObject(right)) return compareObjects(left, right);
  return 0;
}

function typeRank(value: JsonValue): number {
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (isJsonArray(value)) return 3;
  return value === null ? 5 : 4;
}

function compareLists(left: JsonArray, right: JsonArray): number {
  for (const [index, own] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareJson(own, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareObjects(left: JsonObject, right: JsonObject): number {
  const leftKeys = Object.keys(left).sort(compareStrings);
  const rightKeys = Object.keys(right).sort(compareStrings);
  for (const [index, key] of leftKeys.entries()) {
    const other = rightKeys[index];
    if (other === undefined) return 1;
    const order = compareStrings(key, other) || compareJson(left[key] ?? null, right[other] ?? null);
    if (order !== 0) return order;
  }
  return leftKeys.length - rightKeys.length;
}
