import { formatValue } from '../go/format-value.ts';
import { define, GoError } from '../go/go-function.ts';
import { GoList, int, int64 } from '../go/value.ts';
import type { GoAny, GoInt } from '../go/value.ts';
import { addDecimals, decimal, divideDecimals, multiplyDecimals, subtractDecimals, toNumber } from './decimal.ts';
import type { Decimal } from './decimal.ts';
import { toFloat, toInteger } from './convert.ts';
import type { FunctionContext, NamedFunctions } from './environment.ts';

const INT64_MAX = 2n ** 63n - 1n;

export function numberFunctions({ budget }: FunctionContext): NamedFunctions {
  const range = (start: bigint, stop: bigint, step: bigint): bigint[] => {
    if (stop < start ? step >= 0n : step <= 0n) return [];
    const distance = stop < start ? start - stop : stop - start;
    const size = step < 0n ? -step : step;
    const count = (distance + size - 1n) / size;
    budget.make(Number(count) * 4);
    return Array.from({ length: Number(count) }, (_, at) => start + BigInt(at) * step);
  };
  const ints = (numbers: readonly bigint[]): GoList => new GoList(numbers.map(int), 'int');
  const largest = define('any, ...any', (...values: GoAny[]) => int64(values.map(toInteger).reduce((a, b) => (b > a ? b : a))));
  return [
    ['atoi', define('string', (text: string) => int(parseDecimal(text)))],
    ['int', define('any', (value: GoAny) => int(toInteger(value)))],
    ['int64', define('any', (value: GoAny) => int64(toInteger(value)))],
    ['float64', define('any', toFloat)],
    ['toDecimal', define('any', (value: GoAny) => int64(parseOctal(formatValue(value))))],
    ['until', define('int', (count: GoInt) => ints(range(0n, count.value, count.value < 0n ? -1n : 1n)))],
    ['untilStep', define('int, int, int', (start: GoInt, stop: GoInt, step: GoInt) => ints(range(start.value, stop.value, step.value)))],
    [
      'seq',
      define('...int', (...numbers: GoInt[]) =>
        sequence(
          numbers.map(({ value }) => value),
          range,
        ),
      ),
    ],
    ['add1', define('any', (value: GoAny) => int64(toInteger(value) + 1n))],
    ['add', define('...any', (...values: GoAny[]) => int64(values.map(toInteger).reduce((a, b) => a + b, 0n)))],
    ['sub', define('any, any', (a: GoAny, b: GoAny) => int64(toInteger(a) - toInteger(b)))],
    ['div', define('any, any', (a: GoAny, b: GoAny) => int64(toInteger(a) / divisor(b)))],
    ['mod', define('any, any', (a: GoAny, b: GoAny) => int64(toInteger(a) % divisor(b)))],
    ['mul', define('any, ...any', (...values: GoAny[]) => int64(values.map(toInteger).reduce((a, b) => BigInt.asIntN(64, a * b))))],
    ['max', largest],
    ['biggest', largest],
    ['min', define('any, ...any', (...values: GoAny[]) => int64(values.map(toInteger).reduce((a, b) => (b < a ? b : a))))],
    ['maxf', define('any, ...any', (...values: GoAny[]) => Math.max(...values.map(toFloat)))],
    ['minf', define('any, ...any', (...values: GoAny[]) => Math.min(...values.map(toFloat)))],
    ['ceil', define('any', (value: GoAny) => Math.ceil(toFloat(value)))],
    ['floor', define('any', (value: GoAny) => Math.floor(toFloat(value)))],
    [
      'round',
      define('any, int, ...float64', (value: GoAny, places: GoInt, ...on: number[]) =>
        round(toFloat(value), Number(places.value), on[0] ?? 0.5),
      ),
    ],
    ['add1f', define('any', (value: GoAny) => calculate([value, 1], addDecimals))],
    ['addf', define('...any', (...values: GoAny[]) => calculate([0, ...values], addDecimals))],
    ['subf', define('any, ...any', (...values: GoAny[]) => calculate(values, subtractDecimals))],
    ['mulf', define('any, ...any', (...values: GoAny[]) => calculate(values, multiplyDecimals))],
    ['divf', define('any, ...any', (...values: GoAny[]) => calculate(values, divideDecimals))],
  ];
}

function divisor(value: GoAny): bigint {
  const number = toInteger(value);
  if (number === 0n) throw new GoError('runtime error: integer divide by zero');
  return number;
}

function parseDecimal(text: string): bigint {
  if (!/^[-+]?\d+$/.test(text)) return 0n;
  const value = BigInt(text.replace('+', ''));
  return value > INT64_MAX ? INT64_MAX : value < -INT64_MAX - 1n ? -INT64_MAX - 1n : value;
}

function parseOctal(text: string): bigint {
  const found = /^([-+]?)([0-7]+)$/.exec(text);
  if (found === null) return 0n;
  const value = BigInt(`0o${found[2] ?? '0'}`);
  return value > INT64_MAX ? 0n : found[1] === '-' ? -value : value;
}

function sequence(numbers: readonly bigint[], range: (start: bigint, stop: bigint, step: bigint) => bigint[]): string {
  const [first = 0n, second = 0n, third = 0n] = numbers;
  if (numbers.length === 1) {
    const step = first < 1n ? -1n : 1n;
    return range(1n, first + step, step).join(' ');
  }
  if (numbers.length === 2) {
    const step = second < first ? -1n : 1n;
    return range(first, second + step, step).join(' ');
  }
  if (numbers.length !== 3 || (third < first && second > 0n)) return '';
  return range(first, third + (third < first ? -1n : 1n), second).join(' ');
}

function round(value: number, places: number, on: number): number {
  const power = 10 ** places;
  const digits = power * value;
  const fraction = digits - Math.trunc(digits);
  return (fraction >= on ? Math.ceil(digits) : Math.floor(digits)) / power;
}

function calculate(values: readonly GoAny[], operation: (a: Decimal, b: Decimal) => Decimal): number {
  const [first, ...others] = values.map((value) => decimal(toFloat(value)));
  return first === undefined ? 0 : toNumber(others.reduce(operation, first));
}
