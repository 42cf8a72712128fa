import { JsonnetObject } from './object.ts';
import type { Runtime } from './runtime.ts';
import { JsonnetArray, JsonnetFunction, typeOf } from './value.ts';
import type { Value } from './value.ts';

const INT32_MAX = 2 ** 31 - 1;

function wrongType(runtime: Runtime, value: Value, wanted: string): Error {
  return runtime.fail(`Unexpected type ${typeOf(value)}, expected ${wanted}`);
}

export function expectNumber(runtime: Runtime, value: Value): number {
  if (typeof value !== 'number') throw wrongType(runtime, value, 'number');
  return value;
}

/** A whole number of 32 bits: what indices and lengths are. */
export function expectInteger(runtime: Runtime, value: Value): number {
  const number = expectNumber(runtime, value);
  if (!Number.isInteger(number) || number > INT32_MAX || number < -INT32_MAX - 1)
    throw runtime.fail(`Expected an integer, but got ${number}`);
  return number;
}

export function expectText(runtime: Runtime, value: Value): string {
  if (typeof value !== 'string') throw wrongType(runtime, value, 'string');
  return value;
}

export function expectBoolean(runtime: Runtime, value: Value): boolean {
  if (typeof value !== 'boolean') throw wrongType(runtime, value, 'boolean');
  return value;
}

export function expectArray(runtime: Runtime, value: Value): JsonnetArray {
  if (!(value instanceof JsonnetArray)) throw wrongType(runtime, value, 'array');
  return value;
}

export function expectObject(runtime: Runtime, value: Value): JsonnetObject {
  if (!(value instanceof JsonnetObject)) throw wrongType(runtime, value, 'object');
  return value;
}

export function expectFunction(runtime: Runtime, value: Value): JsonnetFunction {
  if (!(value instanceof JsonnetFunction)) throw wrongType(runtime, value, 'function');
  return value;
}
