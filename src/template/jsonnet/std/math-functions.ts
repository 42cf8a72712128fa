import { expectBoolean, expectNumber } from '../expect.ts';
import { checkNumber, compare, modulo } from '../operators.ts';
import type { Runtime } from '../runtime.ts';
import { typeOf } from '../value.ts';
import type { Value } from '../value.ts';
import { native } from './native.ts';
import type { Native } from './native.ts';
import { remainder } from './format.ts';
import { frexp } from '../../frexp.ts';
import { power } from './float.ts';

export const mathFunctions: readonly Native[] = [
  native('abs', 'n', (runtime, n) => {
    if (typeof n !== 'number') throw runtime.fail(`std.abs expected number, got ${typeOf(n)}`);
    return n > 0 ? n : -n;
  }),
  native('sign', 'n', (runtime, n) => {
    if (typeof n !== 'number') throw runtime.fail(`std.sign expected number, got ${typeOf(n)}`);
    return n > 0 ? 1 : n < 0 ? -1 : 0;
  }),
  extreme('max', (a, b) => (a > b ? a : b)),
  extreme('min', (a, b) => (a < b ? a : b)),
  native('clamp', 'x, minVal, maxVal', (runtime, x, low, high) => {
    if (compare(runtime, x, low) < 0) return low;
    return compare(runtime, x, high) > 0 ? high : x;
  }),
  native('modulo', 'x, y', modulo),
  native('mod', 'a, b', remainder),
  numeric('floor', Math.floor),
  numeric('ceil', Math.ceil),
  numeric('round', roundAwayFromZero),
  numeric('sqrt', Math.sqrt),
  numeric('sin', Math.sin),
  numeric('cos', Math.cos),
  numeric('tan', Math.tan),
  numeric('asin', Math.asin),
  numeric('acos', Math.acos),
  numeric('atan', Math.atan),
  numeric('log', Math.log),
  numeric('log2', (x) => Math.log(x) / Math.log(2)),
  numeric('log10', (x) => Math.log(x) / Math.log(10)),
  numeric('exp', Math.exp),
  numeric('mantissa', (x) => frexp(x)[0]),
  numeric('exponent', (x) => frexp(x)[1]),
  numeric('deg2rad', (x) => (x * Math.PI) / 180),
  numeric('rad2deg', (x) => (x * 180) / Math.PI),
  numericPair('hypot', 'x, y', Math.hypot),
  numericPair('atan2', 'y, x', Math.atan2),
  numericPair('pow', 'x, n', power),
  native('isEven', 'x', (runtime, x) => Math.trunc(expectNumber(runtime, x)) % 2 === 0),
  native('isOdd', 'x', (runtime, x) => Math.trunc(expectNumber(runtime, x)) % 2 !== 0),
  native('isInteger', 'x', (runtime, x) => Number.isInteger(expectNumber(runtime, x))),
  native('isDecimal', 'x', (runtime, x) => !Number.isInteger(expectNumber(runtime, x))),
  native('xor', 'x, y', (runtime, x, y) => expectBoolean(runtime, x) !== expectBoolean(runtime, y)),
  native('xnor', 'x, y', (runtime, x, y) => expectBoolean(runtime, x) === expectBoolean(runtime, y)),
];

function numeric(name: string, work: (x: number) => number): Native {
  return native(name, 'x', (runtime, x) => checkNumber(runtime, work(expectNumber(runtime, x))));
}

function numericPair(name: string, parameters: string, work: (x: number, y: number) => number): Native {
  return native(name, parameters, (runtime, x, y) => checkNumber(runtime, work(expectNumber(runtime, x), expectNumber(runtime, y))));
}

function extreme(name: string, pick: (a: number, b: number) => number): Native {
  const check = (runtime: Runtime, value: Value, which: string): number => {
    if (typeof value !== 'number') throw runtime.fail(`std.${name} ${which} param expected number, got ${typeOf(value)}`);
    return value;
  };
  return native(name, 'a, b', (runtime, a, b) => pick(check(runtime, a, 'first'), check(runtime, b, 'second')));
}

function roundAwayFromZero(x: number): number {
  const rounded = Math.floor(Math.abs(x) + 0.5);
  // Just below a half the sum is rounded up by the machine itself.
  const exact = Math.abs(x) === 0.49999999999999994 || Math.abs(x) > 2 ** 52 ? Math.trunc(Math.abs(x)) : rounded;
  return x < 0 || Object.is(x, -0) ? -exact : exact;
}
