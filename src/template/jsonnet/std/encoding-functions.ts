import { createHash } from 'node:crypto';
import { fromBytes } from '../../go/bytes.ts';
import { expectArray, expectInteger, expectText } from '../expect.ts';
import { quoteText, toText } from '../manifest-json.ts';
import type { Runtime } from '../runtime.ts';
import { force, JsonnetArray, typeOf } from '../value.ts';
import type { Value } from '../value.ts';
import { native } from './native.ts';
import type { Native } from './native.ts';
import { parseJsonText, parseYamlText } from './parse-values.ts';

const HASHES: Readonly<Record<string, string>> = { md5: 'md5', sha1: 'sha1', sha256: 'sha256', sha512: 'sha512', sha3: 'sha3-512' };
const XML: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&apos;' };

export const encodingFunctions: readonly Native[] = [
  ...Object.entries(HASHES).map(([name, algorithm]) =>
    native(name, 's', (runtime, value) => {
      const text = expectText(runtime, value);
      runtime.makeText(text.length);
      return createHash(algorithm).update(text).digest('hex');
    }),
  ),
  native('base64', 'input', encodeBase64),
  native('base64Decode', 'str', (runtime, value) => fromBytes(decodeBase64(runtime, value)).toWellFormed()),
  native('base64DecodeBytes', 'str', (runtime, value) => new JsonnetArray([...decodeBase64(runtime, value)])),
  native('encodeUTF8', 'str', (runtime, value) => {
    const bytes = Buffer.from(expectText(runtime, value));
    runtime.makeList(bytes.length);
    return new JsonnetArray([...bytes]);
  }),
  native('decodeUTF8', 'arr', (runtime, value) => {
    const { slots } = expectArray(runtime, value);
    runtime.makeList(slots.length);
    const bytes = slots.map((slot) => {
      const byte = expectInteger(runtime, force(slot));
      if (byte < 0 || byte > 255) throw runtime.fail(`Bytes must be integers in range [0, 255], got ${byte}`);
      return byte;
    });
    return fromBytes(Buffer.from(bytes)).toWellFormed();
  }),
  native('parseJson', 'str', (runtime, value) => parseJsonText(runtime, expectText(runtime, value))),
  native('parseYaml', 'str', (runtime, value) => parseYamlText(runtime, expectText(runtime, value))),
  escaping('escapeStringJson', quoteText),
  escaping('escapeStringPython', quoteText, 'str'),
  escaping('escapeStringBash', (text) => `'${text.replaceAll("'", `'"'"'`)}'`),
  escaping('escapeStringDollars', (text) => text.replaceAll('$', '$$$$')),
  escaping('escapeStringXML', (text) => text.replace(/[<>&"']/g, (character) => XML[character] ?? character)),
];

function escaping(name: string, escape: (text: string) => string, parameter = 'str_'): Native {
  return native(name, parameter, (runtime, value) => {
    const text = toText(runtime, value);
    runtime.makeText(text.length);
    return escape(text);
  });
}

function encodeBase64(runtime: Runtime, value: Value): string {
  const check = (code: number): number => {
    if (code >= 0 && code <= 255) return code;
    throw runtime.fail(`base64 encountered invalid codepoint value in the array (must be 0 <= X <= 255), got ${code}`);
  };
  if (typeof value === 'string') {
    runtime.makeText(value.length * 2);
    for (const character of value) check(character.codePointAt(0) ?? 0);
    return Buffer.from(value).toString('base64');
  }
  if (!(value instanceof JsonnetArray))
    throw runtime.fail(`base64 can only base64 encode strings / arrays of single bytes, got ${typeOf(value)}`);
  runtime.makeText(value.slots.length * 2);
  const bytes = value.slots.map((slot) => {
    const code = force(slot);
    if (typeof code !== 'number' || !Number.isInteger(code))
      throw runtime.fail(`base64 encountered a non-integer value in the array, got ${typeOf(code)}`);
    return check(code);
  });
  return Buffer.from(bytes).toString('base64');
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function decodeBase64(runtime: Runtime, value: Value): Buffer {
  if (typeof value !== 'string') throw runtime.fail(`base64DecodeBytes requires a string, got ${typeOf(value)}`);
  const size = Buffer.byteLength(value);
  if (size % 4 !== 0) throw runtime.fail(`input string appears not to be a base64 encoded string. Wrong length found (${size})`);
  // Line breaks are passed over, and then what is left must still come in fours.
  const text = value.replace(/[\r\n]/g, '');
  if (!BASE64.test(text) || text.length % 4 !== 0) throw runtime.fail('failed to decode: illegal base64 data');
  runtime.makeText(size);
  return Buffer.from(text, 'base64');
}
