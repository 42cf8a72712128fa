import { fromBytes } from '../go/bytes.ts';
import { bytesOf, formatValue } from '../go/format-value.ts';
import { GoError } from '../go/go-function.ts';
import { GoFunction, GoInt, GoList, GoMap, GoStruct, typeOf } from '../go/value.ts';
import type { GoAny } from '../go/value.ts';
import { weighOnce } from '../go/weigh.ts';
import { parseInteger } from '../go-template/parse-number.ts';

const INT64_MAX = 2n ** 63n - 1n;
const FLOAT = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
export const NIL_POINTER = 'runtime error: invalid memory address or nil pointer dereference';

/** A value as the text that a person would write for it. */
export function toText(value: GoAny): string {
  if (typeof value === 'string') return value;
  return value instanceof GoList && value.element === 'uint8' ? fromBytes(bytesOf(value)) : formatValue(value);
}

/** As an integer of 64 bits; what is no number counts as 0. */
export function toInteger(value: GoAny): bigint {
  if (value instanceof GoInt) return value.type === 'time.Duration' ? 0n : value.value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return fromFloat(value);
  if (typeof value !== 'string') return 0n;
  const integer = parseInteger(value.replace(/^([^.]*)\.0+$/, '$1'));
  return integer === undefined || integer > INT64_MAX || integer < -INT64_MAX - 1n ? 0n : integer;
}

function fromFloat(value: number): bigint {
  return Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : -INT64_MAX - 1n;
}

export function toFloat(value: GoAny): number {
  if (typeof value === 'number') return value;
  if (value instanceof GoInt) return value.type === 'time.Duration' ? 0 : Number(value.value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' && FLOAT.test(value) ? Number(value) : 0;
}

/** What `default` and its kin take for unset. */
export function isUnset(value: GoAny): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  if (value instanceof GoInt) return value.value === 0n;
  if (value instanceof GoList) return value.items.length === 0;
  return value instanceof GoMap && value.entries.size === 0;
}

/** The items of a list, whatever it holds; `doing` is for the error where it is none. */
export function itemsOf(value: GoAny, doing: string): GoAny[] {
  if (value === null) throw new GoError(NIL_POINTER);
  if (!(value instanceof GoList)) throw new GoError(doing.replace('%s', kindName(value)));
  return value.items;
}

/** The texts of a list, or of one value. */
export function toTexts(value: GoAny): string[] {
  if (value === null) return [];
  if (value instanceof GoList) return value.items.filter((item) => item !== null).map(toText);
  return [toText(value)];
}

/** What `reflect` calls the kind. */
export function kindName(value: GoAny): string {
  if (value === null) return 'invalid';
  if (value instanceof GoInt) return /^u?int\d*$/.test(value.type) ? value.type : value.type === 'time.Month' ? 'int' : 'int64';
  if (value instanceof GoList) return 'slice';
  if (value instanceof GoMap) return 'map';
  if (value instanceof GoFunction) return 'func';
  if (value instanceof GoStruct) return value.type.startsWith('*') ? 'ptr' : 'struct';
  return typeOf(value);
}

/** How many items of lists are compared in about as much time as one step of a template takes. */
const COMPARED_PER_STEP = 8;

/** As `reflect.DeepEqual`: also the types count. `step` takes the steps for texts, lists and maps that are as large as what they are compared with. */
export function isDeepEqual(left: GoAny, right: GoAny, step: (count?: number) => void = () => undefined): boolean {
  // Texts of the same length may be alike up to their last characters.
  if (typeof left === 'string' && typeof right === 'string' && left.length === right.length) weighOnce(left, step);
  if (left === right) return true;
  if (left === null || right === null || typeOf(left) !== typeOf(right)) return false;
  if (left instanceof GoInt && right instanceof GoInt) return left.value === right.value;
  if (left instanceof GoList && right instanceof GoList) {
    if (left.isNil !== right.isNil || left.items.length !== right.items.length) return false;
    step(1 + left.items.length / COMPARED_PER_STEP);
    return left.items.every((item, at) => isDeepEqual(item, right.items[at] ?? null, step));
  }
  if (left instanceof GoMap && right instanceof GoMap) {
    if (left.isNil !== right.isNil || left.entries.size !== right.entries.size) return false;
    step(1 + left.entries.size / COMPARED_PER_STEP);
    return [...left.entries].every(([key, value]) => right.entries.has(key) && isDeepEqual(value, right.entries.get(key) ?? null, step));
  }
  return left instanceof GoStruct && right instanceof GoStruct && left.text() === right.text();
}

export function deepCopy(value: GoAny): GoAny {
  if (value instanceof GoList) return new GoList(value.items.map(deepCopy), value.element, value.isNil);
  if (value instanceof GoMap)
    return new GoMap(new Map([...value.entries].map(([key, item]) => [key, deepCopy(item)])), value.element, value.isNil);
  return value;
}
