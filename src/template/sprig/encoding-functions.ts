import { createHash } from 'node:crypto';
import type { JsonValue } from '../../objects/index.ts';
import { fromBytes, toBytes } from '../go/bytes.ts';
import { fromJson } from '../go/from-json.ts';
import { define, GoError } from '../go/go-function.ts';
import type { GoAny } from '../go/value.ts';
import { weigh } from '../go/weigh.ts';
import { toJson } from './to-json.ts';
import type { JsonStyle } from './to-json.ts';
import type { FunctionContext, NamedFunctions } from './environment.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const COMPACT: JsonStyle = { escapeHtml: true, indent: '' };
const PRETTY: JsonStyle = { escapeHtml: true, indent: '  ' };
const RAW: JsonStyle = { escapeHtml: false, indent: '' };

export function encodingFunctions({ budget }: FunctionContext): NamedFunctions {
  const write = (style: JsonStyle, otherwise?: string) =>
    define('any', (value: GoAny) => {
      const text = orElse(() => toJson(value, style), otherwise);
      budget.make(text.length);
      return text;
    });
  const read = (text: string): GoAny | undefined => {
    const value = parseJson(text);
    if (value !== undefined) weigh(value, budget.step);
    return value;
  };
  return [
    ['b64enc', define('string', (text: string) => toBytes(text).toString('base64'))],
    ['b64dec', define('string', decodeBase64)],
    ['b32enc', define('string', encodeBase32)],
    ['b32dec', define('string', decodeBase32)],
    ['sha1sum', define('string', (text: string) => hash('sha1', text))],
    ['sha256sum', define('string', (text: string) => hash('sha256', text))],
    ['sha512sum', define('string', (text: string) => hash('sha512', text))],
    ['adler32sum', define('string', adler32)],
    ['toJson', write(COMPACT, '')],
    ['mustToJson', write(COMPACT)],
    ['toPrettyJson', write(PRETTY, '')],
    ['mustToPrettyJson', write(PRETTY)],
    ['toRawJson', write(RAW)],
    ['mustToRawJson', write(RAW)],
    ['fromJson', define('string', (text: string) => read(text) ?? null)],
    [
      'mustFromJson',
      define('string', (text: string) => {
        const value = read(text);
        if (value === undefined) throw new GoError('invalid character in JSON');
        return value;
      }),
    ],
  ];
}

function orElse(make: () => string, otherwise: string | undefined): string {
  if (otherwise === undefined) return make();
  try {
    return make();
  } catch (error) {
    if (error instanceof GoError) return otherwise;
    throw error;
  }
}

function parseJson(text: string): GoAny | undefined {
  try {
    return fromJson(JSON.parse(text) as JsonValue);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function hash(algorithm: string, text: string): string {
  return createHash(algorithm).update(toBytes(text)).digest('hex');
}

function adler32(text: string): string {
  let [a, b] = [1, 0];
  for (const byte of toBytes(text)) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return String(b * 65_536 + a);
}

/** Lines may be broken; what else is not of the alphabet is the text of the error, as in the original. */
function decodeBase64(text: string): string {
  const fault = base64Fault(text);
  if (fault >= 0) return `illegal base64 data at input byte ${fault}`;
  return fromBytes(Buffer.from(text.replaceAll(/[\r\n]/g, ''), 'base64'));
}

function base64Fault(text: string): number {
  const bytes = toBytes(text);
  const isBreak = (at: number): boolean => bytes[at] === 10 || bytes[at] === 13;
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (isBreak(at)) continue;
    const character = String.fromCharCode(bytes[at] ?? 0);
    if (/[A-Za-z0-9+/]/.test(character)) {
      count += 1;
      continue;
    }
    if (character !== '=' || count % 4 < 2) return at;
    return paddingFault(bytes, at, count % 4, isBreak);
  }
  return count % 4 === 0 ? -1 : bytes.length - (count % 4 === 1 ? 1 : count % 4);
}

function paddingFault(bytes: Uint8Array, first: number, position: number, isBreak: (at: number) => boolean): number {
  let at = first + 1;
  if (position === 2) {
    while (at < bytes.length && isBreak(at)) at += 1;
    if (at >= bytes.length) return bytes.length;
    if (bytes[at] !== 0x3d) return at - 1;
    at += 1;
  }
  while (at < bytes.length && isBreak(at)) at += 1;
  return at < bytes.length ? at : -1;
}

function encodeBase32(text: string): string {
  const bytes = toBytes(text);
  const encoded = Buffer.alloc(Math.ceil(bytes.length / 5) * 8, '=');
  const letters = Math.ceil((bytes.length * 8) / 5);
  for (let at = 0; at < letters; at += 1) {
    // Its five bits are somewhere in two bytes.
    const first = (at * 5) >> 3;
    const pair = ((bytes[first] ?? 0) << 8) | (bytes[first + 1] ?? 0);
    encoded[at] = BASE32.charCodeAt((pair >> (11 - ((at * 5) & 7))) & 31);
  }
  return encoded.toString('latin1');
}

function decodeBase32(text: string): string {
  const clean = text.replaceAll(/[\r\n]/g, '');
  const found = /^([A-Z2-7]*)(=*)$/.exec(clean);
  const letters = found?.[1] ?? '';
  if (found === null || clean.length % 8 !== 0 || ![0, 2, 4, 5, 7].includes(letters.length % 8) || (found[2] ?? '').length > 6)
    return `illegal base32 data at input byte ${found === null ? clean.search(/[^A-Z2-7]/) : clean.length}`;
  const bytes = new Uint8Array(Math.floor((letters.length * 5) / 8));
  let [held, heldBits, made] = [0, 0, 0];
  for (const letter of letters) {
    held = ((held << 5) | BASE32.indexOf(letter)) & 0xfff;
    heldBits += 5;
    if (heldBits < 8) continue;
    heldBits -= 8;
    bytes[made] = (held >> heldBits) & 0xff;
    made += 1;
  }
  return fromBytes(bytes);
}
