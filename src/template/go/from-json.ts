import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonValue } from '../../objects/index.ts';
import { GoInt, GoList, GoMap } from './value.ts';
import type { GoAny } from './value.ts';

/** How deep values from outside may be. */
const DEPTH_MAX = 1000;

/** Values as Go has them after reading JSON: every number is a float64. */
export function fromJson(value: JsonValue, depth = 0): GoAny {
  if (depth > DEPTH_MAX) throw new RangeError(`more than ${DEPTH_MAX} levels deep`);
  if (isJsonArray(value)) return new GoList(value.map((item) => fromJson(item, depth + 1)));
  if (!isJsonObject(value)) return value;
  return new GoMap(new Map(Object.keys(value).map((key) => [key, fromJson(value[key] ?? null, depth + 1)])));
}

/** A `map[string]string`: a key that it lacks is an empty text to `index`. */
export function textMap(entries: Readonly<Record<string, string>>): GoMap {
  return new GoMap(new Map(Object.entries(entries)), 'string');
}

/** A `[]string`. */
export function textList(items: readonly string[]): GoList {
  return new GoList([...items], 'string');
}

/** An `int`, for what Go does not read from JSON. */
export function integer(value: number): GoInt {
  return new GoInt(BigInt(value));
}
