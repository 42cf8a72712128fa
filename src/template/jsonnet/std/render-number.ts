import type { FormatFlags } from './parse-format.ts';
import { power } from './float.ts';

export interface NumberLayout extends FormatFlags {
  readonly isUpper: boolean;
  /** How many characters are filled up with zeros. */
  readonly zeros: number;
}

type Sign = Pick<NumberLayout, 'blank' | 'plus'>;

const NUMERALS = '0123456789abcdef';

function signOf(isNegative: boolean, { plus, blank }: Sign): string {
  return isNegative ? '-' : plus ? '+' : blank ? ' ' : '';
}

/** The digits of a whole number by dividing it again and again: beyond 2^53 that gives what Jsonnet gives, and not what is exact. */
function digitsOf(magnitude: number, radix: number): string {
  if (magnitude === 0) return '0';
  let digits = '';
  for (let rest = magnitude; rest > 0; rest = Math.floor(rest / radix)) digits = (NUMERALS[rest % radix] ?? '') + digits;
  return digits;
}

export function renderInteger(value: number, radix: 8 | 10 | 16, digitsMin: number, layout: NumberLayout): string {
  const isHex = radix === 16;
  const whole = isHex ? Math.abs(Math.floor(value)) : Math.floor(Math.abs(value));
  const isNegative = isHex ? Math.floor(value) < 0 : value <= -1;
  const mark = layout.alternate && isHex ? (layout.isUpper ? '0X' : '0x') : '';
  const leading = layout.alternate && radix === 8 && whole !== 0 ? '0' : '';
  const digits = leading + digitsOf(whole, radix);
  const sign = signOf(isNegative, layout);
  const size = Math.max(layout.zeros - sign.length - mark.length, digitsMin);
  const filled = digits.padStart(size, '0');
  return sign + mark + (isHex && layout.isUpper ? filled.toUpperCase() : filled);
}

/** With so many digits after the point; `keepsZeros` says whether those at the end stay. */
export function renderFixed(value: number, precision: number, keepsZeros: boolean, layout: NumberLayout): string {
  const magnitude = Math.abs(value);
  const denominator = power(10, precision);
  const numerator = magnitude * denominator + 0.5;
  const whole = magnitude > 0 ? Math.floor(numerator / denominator) : 0;
  const fraction = Math.floor(numerator) % denominator;
  const hasPoint = precision !== 0 || layout.alternate;
  const sign = signOf(value < 0, layout);
  const integer = sign + digitsOf(whole, 10).padStart(layout.zeros - precision - (hasPoint ? 1 : 0) - sign.length, '0');
  if (precision === 0) return integer + (layout.alternate ? '.' : '');
  if (!keepsZeros && !(fraction > 0)) return integer;
  const digits = digitsOf(fraction, 10).padStart(precision, '0');
  return `${integer}.${keepsZeros ? digits : digits.replace(/0+$/, '')}`;
}

const SMALLEST_EXPONENT = -324;

export function renderScientific(value: number, precision: number, keepsZeros: boolean, layout: NumberLayout): string {
  const exponent = value === 0 ? 0 : Math.floor(Math.log(Math.abs(value)) / Math.log(10));
  const suffix = `${layout.isUpper ? 'E' : 'e'}${exponent < 0 ? '-' : '+'}${digitsOf(Math.abs(exponent), 10).padStart(2, '0')}`;
  // Ten to that power is nothing.
  const mantissa = exponent === SMALLEST_EXPONENT ? (value * 10) / power(10, exponent + 1) : value / power(10, exponent);
  return renderFixed(mantissa, precision, keepsZeros, { ...layout, zeros: layout.zeros - suffix.length }) + suffix;
}
