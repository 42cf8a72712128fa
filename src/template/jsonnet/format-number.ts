const DIGITS = 17;

/** A number as Jsonnet shows it: whole numbers with all digits, others with as many as it takes to tell them apart, and more. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value))
    return Object.is(value, -0) ? '-0' : Number.isSafeInteger(value) ? value.toString() : BigInt(value).toString();
  const [digits = '', exponentText = '0'] = value.toExponential(DIGITS - 1).split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= DIGITS) {
    const sign = exponent < 0 ? '-' : '+';
    return `${trimZeros(digits)}e${sign}${Math.abs(exponent).toString().padStart(2, '0')}`;
  }
  return trimZeros(value.toFixed(Math.max(0, DIGITS - 1 - exponent)));
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** With as many digits as tell it apart from its neighbours, and never an exponent. */
export function formatDecimal(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const text = String(value);
  const [digits = '', exponentText] = text.split('e');
  if (exponentText === undefined) return text;
  const exponent = Number(exponentText);
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const sign = digits.startsWith('-') ? '-' : '';
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(exponent, '0')}`;
}
