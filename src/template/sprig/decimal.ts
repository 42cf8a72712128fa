import { GoError } from '../go/go-function.ts';

/** A number with as many decimal digits as it takes: `digits` times ten to the `exponent`. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Digits after the point that a division gives. */
const DIVISION_DIGITS = 16;

export function decimal(value: number): Decimal {
  if (!Number.isFinite(value))
    throw new GoError(`Cannot create a Decimal from ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const exponent = Math.min(left.exponent, right.exponent);
  return { digits: scaled(left, exponent) + scaled(right, exponent), exponent };
}

export function subtractDecimals(left: Decimal, right: Decimal): Decimal {
  return addDecimals(left, { digits: -right.digits, exponent: right.exponent });
}

export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  return { digits: left.digits * right.digits, exponent: left.exponent + right.exponent };
}

/** Rounds half away from zero. */
export function divideDecimals(left: Decimal, right: Decimal): Decimal {
  if (right.digits === 0n) throw new GoError('decimal division by 0');
  const shift = left.exponent - right.exponent + DIVISION_DIGITS;
  const numerator = shift >= 0 ? left.digits * 10n ** BigInt(shift) : left.digits;
  const denominator = shift >= 0 ? right.digits : right.digits * 10n ** BigInt(-shift);
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  const rounds = 2n * absolute(remainder) >= absolute(denominator);
  const sign = numerator < 0n === denominator < 0n ? 1n : -1n;
  return { digits: rounds ? quotient + sign : quotient, exponent: -DIVISION_DIGITS };
}

export function toNumber({ digits, exponent }: Decimal): number {
  return Number(`${digits}e${exponent}`);
}

function scaled({ digits, exponent }: Decimal, target: number): bigint {
  return digits * 10n ** BigInt(exponent - target);
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
