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
