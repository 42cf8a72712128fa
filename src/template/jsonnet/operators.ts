import { toText } from './manifest-json.ts';
import { JsonnetObject } from './object.ts';
import type { Runtime } from './runtime.ts';
import { expectBoolean, expectNumber, expectText } from './expect.ts';
import { compareTexts } from './text.ts';
import { force, JsonnetArray, JsonnetFunction, typeOf } from './value.ts';
import type { Value } from './value.ts';

type Binary = (runtime: Runtime, left: Value, right: Value) => Value;

/** A text that is joined to a longer one costs what it adds: JavaScript keeps both and copies neither. */
const JOIN_COST = 16;

/** All operators that look at both sides; `%` is among the functions that make texts. */
export const binaryOperators: ReadonlyMap<string, Binary> = new Map<string, Binary>([
  ['+', plus],
  ['-', arithmetic((left, right) => left - right)],
  ['*', arithmetic((left, right) => left * right)],
  ['/', divide],
  ['<<', bitwise((left, right) => left << (right % 64n), true)],
  ['>>', bitwise((left, right) => left >> (right % 64n), true)],
  ['&', bitwise((left, right) => left & right)],
  ['|', bitwise((left, right) => left | right)],
  ['^', bitwise((left, right) => left ^ right)],
  ['<', (runtime, left, right) => compare(runtime, left, right) < 0],
  ['<=', (runtime, left, right) => compare(runtime, left, right) <= 0],
  ['>', (runtime, left, right) => compare(runtime, left, right) > 0],
  ['>=', (runtime, left, right) => compare(runtime, left, right) >= 0],
  ['==', equals],
  ['!=', (runtime, left, right) => !equals(runtime, left, right)],
  ['in', isIn],
]);

export function plus(runtime: Runtime, left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') return checkNumber(runtime, left + right);
  if (typeof left === 'string' || typeof right === 'string') return joinTexts(runtime, toText(runtime, left), toText(runtime, right));
  if (left instanceof JsonnetArray && right instanceof JsonnetArray) {
    runtime.makeList(left.slots.length + right.slots.length);
    return new JsonnetArray([...left.slots, ...right.slots]);
  }
  if (left instanceof JsonnetObject && right instanceof JsonnetObject) {
    runtime.makeList(left.layers.length + right.layers.length);
    return new JsonnetObject([...left.layers, ...right.layers]);
  }
  // What is on the left says what is expected on the right.
  if (typeof left === 'number' || left instanceof JsonnetArray || left instanceof JsonnetObject)
    throw runtime.fail(`Unexpected type ${typeOf(right)}, expected ${typeOf(left)}`);
  throw runtime.fail(`Unexpected type ${typeOf(left)}`);
}

export function joinTexts(runtime: Runtime, left: string, right: string): string {
  if (left === '' || right === '') return left + right;
  const isTooLong = left.length + right.length > runtime.limits.textCharactersMax;
  runtime.makeText(isTooLong ? left.length + right.length : Math.min(left.length, right.length) + JOIN_COST);
  return left + right;
}

export function checkNumber(runtime: Runtime, value: number): number {
  if (Number.isNaN(value)) throw runtime.fail('Not a number');
  if (!Number.isFinite(value)) throw runtime.fail('Overflow');
  return value;
}

function arithmetic(work: (left: number, right: number) => number): Binary {
  return (runtime, left, right) => checkNumber(runtime, work(expectNumber(runtime, left), expectNumber(runtime, right)));
}

function divide(runtime: Runtime, left: Value, right: Value): Value {
  const [dividend, divisor] = [expectNumber(runtime, left), expectNumber(runtime, right)];
  if (divisor === 0) throw runtime.fail('Division by zero.');
  return checkNumber(runtime, dividend / divisor);
}

export function modulo(runtime: Runtime, left: Value, right: Value): number {
  const [dividend, divisor] = [expectNumber(runtime, left), expectNumber(runtime, right)];
  if (divisor === 0) throw runtime.fail('Division by zero.');
  return checkNumber(runtime, dividend % divisor);
}

function bitwise(work: (left: bigint, right: bigint) => bigint, isShift = false): Binary {
  return (runtime, left, right) => {
    const numbers = [expectNumber(runtime, left), expectNumber(runtime, right)];
    for (const number of numbers)
      if (Math.abs(number) > Number.MAX_SAFE_INTEGER)
        throw runtime.fail(`Bitwise operator argument ${number} outside of range [${Number.MIN_SAFE_INTEGER}, ${Number.MAX_SAFE_INTEGER}]`);
    const [one = 0n, other = 0n] = numbers.map((number) => BigInt(Math.trunc(number)));
    if (isShift && other < 0n) throw runtime.fail('Shift by negative exponent.');
    return Number(BigInt.asIntN(64, work(one, other)));
  };
}

/** Negative where the left side comes first. */
export function compare(runtime: Runtime, left: Value, right: Value): number {
  if (typeof left === 'number') return left - expectNumber(runtime, right);
  if (typeof left === 'string') return compareTexts(left, expectText(runtime, right));
  if (!(left instanceof JsonnetArray)) throw runtime.fail(`Unexpected type ${typeOf(left)}`);
  if (!(right instanceof JsonnetArray)) throw runtime.fail(`Unexpected type ${typeOf(right)}, expected array`);
  runtime.enter();
  const common = Math.min(left.slots.length, right.slots.length);
  for (let at = 0; at < common; at += 1) {
    runtime.step();
    const order = compare(runtime, force(left.slots[at] ?? null), force(right.slots[at] ?? null));
    if (order !== 0) {
      runtime.leave();
      return order;
    }
  }
  runtime.leave();
  return left.slots.length - right.slots.length;
}

export function equals(runtime: Runtime, left: Value, right: Value): boolean {
  if (typeOf(left) !== typeOf(right)) return false;
  if (left instanceof JsonnetFunction) throw runtime.fail('Cannot test equality of functions');
  if (typeof left !== 'object' || left === null) return left === right;
  runtime.enter();
  const isSame =
    left instanceof JsonnetArray ? arraysEqual(runtime, left, right as JsonnetArray) : objectsEqual(runtime, left, right as JsonnetObject);
  runtime.leave();
  return isSame;
}

function arraysEqual(runtime: Runtime, left: JsonnetArray, right: JsonnetArray): boolean {
  if (left.slots.length !== right.slots.length) return false;
  for (let at = 0; at < left.slots.length; at += 1) {
    runtime.step();
    if (!equals(runtime, force(left.slots[at] ?? null), force(right.slots[at] ?? null))) return false;
  }
  return true;
}

function objectsEqual(runtime: Runtime, left: JsonnetObject, right: JsonnetObject): boolean {
  const [names, others] = [left.names(false), right.names(false)];
  if (names.length !== others.length || names.some((name, at) => name !== others[at])) return false;
  return names.every((name) => equals(runtime, left.get(runtime, name), right.get(runtime, name)));
}

function isIn(runtime: Runtime, left: Value, right: Value): boolean {
  // The object is looked at first, so that of two mistakes it is the one told.
  if (!(right instanceof JsonnetObject)) throw runtime.fail(`Unexpected type ${typeOf(right)}, expected object`);
  return right.has(expectText(runtime, left), true);
}

export function applyUnary(runtime: Runtime, operator: string, operand: Value): Value {
  if (operator === '!') return !expectBoolean(runtime, operand);
  const number = expectNumber(runtime, operand);
  if (operator === '-') return -number;
  if (operator === '+') return number;
  return Number(BigInt.asIntN(64, ~BigInt(Math.trunc(number))));
}
