import { frexp } from '../../frexp.ts';

const EXPONENT_STEP = 1000;

/** A fraction times a power of two, in steps that do not leave the range on the way. */
function scale(fraction: number, exponent: number): number {
  let [value, rest] = [fraction, exponent];
  while (rest > EXPONENT_STEP && Number.isFinite(value)) {
    value *= 2 ** EXPONENT_STEP;
    rest -= EXPONENT_STEP;
  }
  while (rest < -EXPONENT_STEP && value !== 0) {
    value *= 2 ** -EXPONENT_STEP;
    rest += EXPONENT_STEP;
  }
  return value * 2 ** rest;
}

/**
 * A power by squaring fractions, with the powers of two kept apart. That rounds as Go does, whose last digits are not always those of
 * JavaScript; formatted numbers are made with it. What the exponent has after the point is a factor of its own.
 */
export function power(base: number, exponent: number): number {
  const whole = Math.round(Math.abs(exponent));
  const part = Math.abs(exponent) - whole;
  if (whole > Number.MAX_SAFE_INTEGER || base === 0 || !Number.isFinite(base) || (base < 0 && part !== 0)) return base ** exponent;
  if (exponent === 0.5) return Math.sqrt(base);
  let result = part === 0 ? 1 : Math.exp(part * Math.log(base));
  let twosOfResult = 0;
  let [fraction, twos] = frexp(base);
  for (let rest = whole; rest !== 0; rest = Math.floor(rest / 2)) {
    if (Math.abs(twos) > 1 << 20) return base ** exponent;
    if (rest % 2 === 1) {
      result *= fraction;
      twosOfResult += twos;
    }
    fraction *= fraction;
    twos *= 2;
    if (fraction < 0.5) {
      fraction += fraction;
      twos -= 1;
    }
  }
  return exponent < 0 ? scale(1 / result, -twosOfResult) : scale(result, twosOfResult);
}
