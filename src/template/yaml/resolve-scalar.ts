/** A scalar is not what its tag says, or cannot be carried exactly. */
export class ScalarError extends Error {}

const WORDS = new Map<string, boolean | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);
const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]([0-7]+)|0[bB]([01]+)|0([0-7]+)|(0|[1-9]\d*))$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const INT64 = { min: -(2n ** 63n), max: 2n ** 64n - 1n };

/**
 * What an unquoted word of YAML means to Kubernetes' own reader: YAML 1.1 without base 60 and without dates, so that manifests mean
 * here what they mean to `kubectl`.
 */
export function resolvePlainScalar(text: string, isRounded = false): string | number | boolean | null {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (NOT_FINITE.test(text)) throw new ScalarError('a number is not finite');
  if (!/^[-+.\d]/.test(text) || isDate(text)) return text;
  const bare = text.startsWith('.') ? text : text.replaceAll('_', '');
  const integer = INTEGER.exec(bare);
  if (integer !== null) {
    const value = readInteger(integer, isRounded);
    if (value !== undefined) return value;
  }
  if (!FLOAT.test(bare)) return text;
  const value = Number(bare);
  // What is too large for a number stays the text that it is: `1e400`, or a hash that looks like one.
  return Number.isFinite(value) ? value : text;
}

function readInteger([, sign = '', hex, octal, binary, oldOctal, decimal]: RegExpExecArray, isRounded: boolean): number | undefined {
  const digits = decimal ?? (hex !== undefined ? `0x${hex}` : binary !== undefined ? `0b${binary}` : `0o${octal ?? oldOctal}`);
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits);
  // Beyond 64 bits it is read as a float.
  if (value < INT64.min || value > INT64.max) return undefined;
  const exact = Number(value);
  if (!Number.isSafeInteger(exact) && !isRounded)
    throw new ScalarError('an integer is too large to be carried exactly: quote it, if it is a text');
  return exact;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)?)?$/.test(text);
}
