/** As many digits as JavaScript's own functions give. */
const DIGITS_MAX = 100;

/** Floats as `strconv.FormatFloat` writes them; the precision is -1 for as many digits as are needed. */
export function formatFloat(value: number, verb: 'e' | 'f' | 'g', precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  if (verb === 'f') return sign + (precision < 0 ? toPlain(size) : toFixed(size, precision));
  if (verb === 'e') return sign + fixExponent(precision < 0 ? size.toExponential() : toExponential(size, precision));
  return sign + formatGeneral(size, precision);
}

function formatGeneral(size: number, precision: number): string {
  const digitsMax = precision === 0 ? 1 : precision;
  const exponential = digitsMax < 0 ? size.toExponential() : toExponential(size, digitsMax - 1);
  const [mantissa = '', exponentText = '0'] = exponential.split('e');
  const exponent = Number(exponentText);
  const digits = mantissa.replace('.', '').replace(/0+$/, '') || '0';
  const limit = digitsMax < 0 ? 6 : digitsMax > digits.length && digits.length >= exponent + 1 ? digits.length : digitsMax;
  if (exponent < -4 || exponent >= limit)
    return fixExponent(`${digits.length > 1 ? `${digits[0] ?? ''}.${digits.slice(1)}` : digits}e${exponent}`);
  return toPlainDigits(digits, exponent);
}

function toPlain(size: number): string {
  const [mantissa = '', exponent = '0'] = size.toExponential().split('e');
  return toPlainDigits(mantissa.replace('.', ''), Number(exponent));
}

function toPlainDigits(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, '0');
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

function fixExponent(text: string): string {
  return text.replace(/e([-+]?)(\d)$/, 'e$10$2').replace(/e(\d)/, 'e+$1');
}

/** `toFixed` gives up at 1e21 and beyond 100 digits; Go does not. */
function toFixed(size: number, precision: number): string {
  if (size < 1e21 && precision <= DIGITS_MAX) return toEven(size.toFixed(precision), size, precision);
  const whole = size < 1e21 ? size.toFixed(DIGITS_MAX) : BigInt(size).toString();
  const [integer = '', fraction = ''] = whole.split('.');
  return precision === 0 ? integer : `${integer}.${fraction.slice(0, precision).padEnd(precision, '0')}`;
}

/** Of two that are equally near, Go takes the even one, and `toFixed` the larger. */
function toEven(rounded: string, size: number, precision: number): string {
  if (precision >= DIGITS_MAX || !size.toFixed(precision + 1).endsWith('5')) return rounded;
  const exact = size.toFixed(DIGITS_MAX);
  const cut = exact.length - DIGITS_MAX + precision;
  if (!/^50*$/.test(exact.slice(cut)) || /[02468]$/.test(rounded)) return rounded;
  return exact.slice(0, cut).replace(/\.$/, '');
}

function toExponential(size: number, precision: number): string {
  if (precision <= DIGITS_MAX) return size.toExponential(precision);
  return size.toExponential(DIGITS_MAX).replace('e', `${'0'.repeat(precision - DIGITS_MAX)}e`);
}
