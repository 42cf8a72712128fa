import { runes } from '../go/bytes.ts';
import { define, GoError } from '../go/go-function.ts';
import { int } from '../go/value.ts';
import type { GoInt } from '../go/value.ts';
import type { FunctionContext, NamedFunctions } from './environment.ts';

const DIGITS = '0123456789';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('');

/** Functions that answer differently each time. Where the caller gives no randomness they refuse, and say why. */
export function randomFunctions({ budget, environment }: FunctionContext): NamedFunctions {
  const bytes = (count: number): Uint8Array => {
    if (environment.randomBytes === undefined) throw new GoError('there is no randomness here: it would give another text each time');
    budget.make(count);
    return environment.randomBytes(count);
  };
  /** Six bytes for each number make the leaning towards small ones too small to see. */
  const below = (limit: number): number => {
    let value = 0;
    for (const byte of bytes(6)) value = value * 256 + byte;
    return value % limit;
  };
  const pick = (alphabet: string) =>
    define('int', (count: GoInt) => {
      const length = Math.max(0, Number(count.value));
      budget.make(length);
      budget.step(length);
      return Array.from({ length }, () => alphabet[below(alphabet.length)] ?? '').join('');
    });
  return [
    ['randAlphaNum', pick(LETTERS + DIGITS)],
    ['randAlpha', pick(LETTERS)],
    ['randNumeric', pick(DIGITS)],
    ['randAscii', pick(PRINTABLE)],
    ['randBytes', define('int', (count: GoInt) => Buffer.from(bytes(Math.max(0, Number(count.value)))).toString('base64'))],
    ['randInt', define('int, int', (low: GoInt, high: GoInt) => randomBetween(Number(low.value), Number(high.value), below))],
    ['shuffle', define('string', (text: string) => shuffle(runes(text), below))],
    ['uuidv4', define('', () => formatUuid(bytes(16)))],
  ];
}

function randomBetween(low: number, high: number, below: (limit: number) => number): GoInt {
  if (high <= low) throw new GoError('invalid argument to Intn');
  return int(low + below(high - low));
}

function shuffle(characters: string[], below: (limit: number) => number): string {
  for (let at = characters.length - 1; at > 0; at -= 1) {
    const other = below(at + 1);
    const held = characters[at] ?? '';
    characters[at] = characters[other] ?? '';
    characters[other] = held;
  }
  return characters.join('');
}

function formatUuid(bytes: Uint8Array): string {
  const own = Uint8Array.from(bytes);
  own[6] = ((own[6] ?? 0) & 0x0f) | 0x40;
  own[8] = ((own[8] ?? 0) & 0x3f) | 0x80;
  return Buffer.from(own)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
