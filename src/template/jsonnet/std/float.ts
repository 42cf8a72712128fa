/** A number as a fraction between a half and one, and a power of two. */
export function frexp(value: number): readonly [number, number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0];
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(value))) + 1);
  let fraction = value * 2 ** -exponent;
  // The logarithm may be off by one, and the smallest numbers by more.
  while (Math.abs(fraction) < 0.5) {
    fraction *= 2;
    exponent -= 1;
  }
  while (Math.abs(fraction) >= 1) {
    fraction /= 2;
    exponent += 1;
  }
  return [fraction, exponent];
}

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
