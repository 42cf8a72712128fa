/**
 * A resource amount: `digits` × 10^`exponent`, exactly. Amounts finer than a billionth are rounded up, away from zero, when they are read.
 */
export interface Quantity {
  readonly digits: bigint;
  readonly exponent: number;
  /** The family of suffixes that it was written with, and is written with again. */
  readonly format: QuantityFormat;
  /** How it was written, where Kubernetes keeps that although another spelling is the canonical one (`1.500`). */
  readonly text?: string;
}

/** `12M`, `12Mi`, `12e6`. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** A text that is no quantity; the message is the one that an API server gives. */
export class QuantityError extends Error {}

const NANO = -9;
/** Beyond this an amount says nothing about resources, and arithmetic with it only costs memory. */
const EXPONENT_MAX = 10_000;
const BINARY_MAX = 2n ** 63n - 1n;
const FORMAT_PATTERN = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$';

const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

interface Suffix {
  readonly format: QuantityFormat;
  readonly base: 2 | 10;
  readonly exponent: number;
}

/** Reads a quantity as a manifest has it, a text or a number; throws QuantityError. */
export function parseQuantity(value: string | number): Quantity {
  const text = String(value);
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text);
  if (match === null || text === '') throw new QuantityError(`quantities must match the regular expression '${FORMAT_PATTERN}'`);
  const [, sign = '', whole = '', fraction = '', suffixText = ''] = match;
  const suffix = parseSuffix(suffixText);
  const number = whole.replace(/^0+/, '') || '0';
  // Without any digit, a short number is zero and another is refused.
  if (whole + fraction === '' && !isShort(number, fraction, suffix)) throw new QuantityError('unable to parse numeric part of quantity');
  const magnitude = BigInt(number + fraction) * (suffix.base === 2 ? 2n ** BigInt(suffix.exponent) : 1n);
  const exponent = (suffix.base === 10 ? suffix.exponent : 0) - fraction.length;
  const amount = roundUpToNano(magnitude, exponent);
  const capped = suffix.format === 'BinarySI' && compareAmounts(amount, { digits: BINARY_MAX, exponent: 0 }) > 0;
  const { digits, exponent: scale } = capped ? { digits: BINARY_MAX, exponent: 0 } : amount;
  const isBelowOne = digits > 0n && compareAmounts(amount, { digits: 1n, exponent: 0 }) < 0;
  return {
    digits: sign === '-' ? -digits : digits,
    exponent: scale,
    format: suffix.format === 'BinarySI' && isBelowOne ? 'DecimalSI' : suffix.format,
    ...(keepsSpelling(number, fraction, suffix) && { text }),
  };
}

function parseSuffix(text: string): Suffix {
  const decimal = DECIMAL_SUFFIXES.indexOf(text);
  if (decimal >= 0) return { format: 'DecimalSI', base: 10, exponent: NANO + 3 * decimal };
  const binary = BINARY_SUFFIXES.indexOf(text);
  if (binary > 0) return { format: 'BinarySI', base: 2, exponent: 10 * binary };
  const exponent = /^[eE]([+-]?\d+)$/.exec(text)?.[1];
  if (exponent === undefined || Math.abs(Number(exponent)) > EXPONENT_MAX) throw new QuantityError("unable to parse quantity's suffix");
  return { format: 'DecimalExponent', base: 10, exponent: Number(exponent) };
}

interface Amount {
  readonly digits: bigint;
  readonly exponent: number;
}

function roundUpToNano(digits: bigint, exponent: number): Amount {
  return exponent >= NANO ? { digits, exponent } : { digits: divideUp(digits, 10n ** BigInt(NANO - exponent)), exponent: NANO };
}

/** Away from zero. */
function divideUp(digits: bigint, divisor: bigint): bigint {
  const quotient = digits / divisor;
  if (digits % divisor === 0n) return quotient;
  return digits < 0n ? quotient - 1n : quotient + 1n;
}

/** Kubernetes reads short numbers in a way of its own, with the two consequences below. */
function isShort(number: string, fraction: string, { format, exponent }: Suffix): boolean {
  if (format === 'BinarySI') return fraction === '' && 14 - number.length - Math.trunc(exponent * 0.3) >= 0;
  return number.length + fraction.length <= 18 && exponent - fraction.length >= NANO;
}

/** The spelling of a short number that has a suffix of its own and no zeros to spare is kept; the others are written anew. */
function keepsSpelling(number: string, fraction: string, suffix: Suffix): boolean {
  if (!isShort(number, fraction, suffix)) return false;
  if (suffix.format === 'BinarySI') return (BigInt(number) & 7n) !== 0n;
  const shifted = number + fraction;
  return (suffix.exponent - fraction.length) % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
}

/** Negative where the left is the smaller, zero where they are the same amount, however written. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  return compareAmounts(left, right);
}

function compareAmounts(left: Amount, right: Amount): number {
  const exponent = Math.min(left.exponent, right.exponent);
  const [own, other] = [scaleTo(left, exponent), scaleTo(right, exponent)];
  return own < other ? -1 : Number(own > other);
}

function scaleTo({ digits, exponent }: Amount, target: number): bigint {
  return digits * 10n ** BigInt(exponent - target);
}

/** The sum, written like the left one unless that is zero. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  const exponent = Math.min(left.exponent, right.exponent);
  const format = left.digits === 0n ? right.format : left.format;
  return { digits: scaleTo(left, exponent) + scaleTo(right, exponent), exponent, format };
}

/** The amount as an integer, rounded up, away from zero. */
export function quantityToInteger({ digits, exponent }: Quantity): bigint {
  return exponent >= 0 ? digits * 10n ** BigInt(exponent) : divideUp(digits, 10n ** BigInt(-exponent));
}

/** The canonical text: no fraction, the largest suffix that loses nothing. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.digits === 0n) return '0';
  return quantity.format === 'BinarySI' && isWrittenInBinary(quantity) ? formatBinary(quantity) : formatDecimal(quantity);
}

function isWrittenInBinary(quantity: Quantity): boolean {
  const whole = quantityToInteger(quantity);
  const isExact = compareAmounts(quantity, { digits: whole, exponent: 0 }) === 0;
  return isExact && (whole >= 1024n || whole <= -1024n);
}

function formatBinary(quantity: Quantity): string {
  let digits = quantityToInteger(quantity);
  let step = 0;
  while (digits % 1024n === 0n && step < BINARY_SUFFIXES.length - 1) {
    digits /= 1024n;
    step++;
  }
  return `${digits}${BINARY_SUFFIXES[step] ?? ''}`;
}

function formatDecimal({ digits: given, exponent: scale, format }: Quantity): string {
  let [digits, exponent] = [given, scale];
  while (digits % 10n === 0n) {
    digits /= 10n;
    exponent++;
  }
  const excess = ((exponent % 3) + 3) % 3;
  digits *= 10n ** BigInt(excess);
  exponent -= excess;
  const suffix = format === 'DecimalExponent' ? undefined : DECIMAL_SUFFIXES[(exponent - NANO) / 3];
  // Amounts beyond the last suffix lose it in Kubernetes, and with it their meaning; the exponent keeps it.
  return `${digits}${suffix ?? (exponent === 0 ? '' : `e${exponent}`)}`;
}
