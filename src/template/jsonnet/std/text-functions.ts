import { expectInteger, expectNumber, expectText } from '../expect.ts';
import { toText } from '../manifest-json.ts';
import { equals } from '../operators.ts';
import type { Runtime } from '../runtime.ts';
import { codePoints, textLength, textSlice } from '../text.ts';
import { force, JsonnetArray, typeOf } from '../value.ts';
import type { Value } from '../value.ts';
import { lengthOf, makeArray } from './array-functions.ts';
import { formatText } from './format.ts';
import { native } from './native.ts';
import type { Native } from './native.ts';
import { charOf } from './text-of.ts';

const SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const OUTER_SPACE = new RegExp(`^${SPACE}+|${SPACE}+$`, 'g');

export const textFunctions: readonly Native[] = [
  native('toString', 'a', toText),
  native('format', 'str, vals', (runtime, text, values) => formatText(runtime, expectText(runtime, text), values)),
  native('substr', 'str, from, len', substr),
  native('startsWith', 'a, b', (runtime, a, b) => beginsOrEnds(runtime, a, b, false)),
  native('endsWith', 'a, b', (runtime, a, b) => beginsOrEnds(runtime, a, b, true)),
  native('lstripChars', 'str, chars', (runtime, text, characters) => strip(runtime, text, characters, { isLeft: true })),
  native('rstripChars', 'str, chars', (runtime, text, characters) => strip(runtime, text, characters, { isRight: true })),
  native('stripChars', 'str, chars', (runtime, text, characters) => strip(runtime, text, characters, { isLeft: true, isRight: true })),
  native('trim', 'str', (runtime, text) => expectText(runtime, text).replace(OUTER_SPACE, '')),
  native('stringChars', 'str', (runtime, value) => {
    if (value instanceof JsonnetArray) return value;
    if (typeof value !== 'string')
      return makeArray(runtime, lengthOf(runtime, value), () => {
        throw runtime.fail(`Unexpected type ${typeOf(value)}, expected string`);
      });
    const characters = codePoints(value);
    runtime.makeList(characters.length);
    return new JsonnetArray(characters);
  }),
  native('split', 'str, c', (runtime, text, separator) => {
    for (const [which, value] of [
      ['first', text],
      ['second', separator],
    ] as const)
      if (typeof value !== 'string') throw runtime.fail(`std.split ${which} parameter must be a String, got ${typeOf(value)}`);
    if (separator === '') throw runtime.fail('std.split second parameter must have length 1 or greater, got 0');
    return splitLimit(runtime, text, separator, -1);
  }),
  native('splitLimit', 'str, c, maxsplits', splitLimit),
  native('splitLimitR', 'str, c, maxsplits', splitLimitRight),
  native('strReplace', 'str, from, to', (runtime, text, from, to) => {
    const [whole, old, fresh] = [expectText(runtime, text), expectText(runtime, from), expectText(runtime, to)];
    if (old === '') throw runtime.fail("'from' string must not be zero length.");
    const parts = whole.split(old);
    runtime.makeList(parts.length);
    runtime.makeText(whole.length + (parts.length - 1) * fresh.length);
    return parts.join(fresh);
  }),
  native('asciiUpper', 'str', (runtime, text) => mapLetters(runtime, text, /[a-z]+/g, (letters) => letters.toUpperCase())),
  native('asciiLower', 'str', (runtime, text) => mapLetters(runtime, text, /[A-Z]+/g, (letters) => letters.toLowerCase())),
  native('isEmpty', 'str', (runtime, text) => expectText(runtime, text) === ''),
  native('equalsIgnoreCase', 'str1, str2', (runtime, one, other) => sameFolded(expectText(runtime, one), expectText(runtime, other))),
  native('char', 'n', (runtime, code) => charOf(runtime, expectNumber(runtime, code))),
  native('codepoint', 'str', (runtime, value) => {
    const text = expectText(runtime, value);
    const length = textLength(text);
    if (length !== 1) throw runtime.fail(`codepoint takes a string of length 1, got length ${length}`);
    return text.codePointAt(0) ?? 0;
  }),
  native('findSubstr', 'pat, str', findSubstr),
  native('parseInt', 'str', (runtime, value) => {
    const text = expectText(runtime, value);
    const number = /^[-+]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
    if (number === undefined || BigInt.asIntN(64, number) !== number) throw runtime.fail(`${text} is not a base 10 integer`);
    return Number(number);
  }),
  native('parseOctal', 'str', (runtime, value) => parseNatural(runtime, value, 8, 'Not an octal number: ""')),
  native('parseHex', 'str', (runtime, value) => parseNatural(runtime, value, 16, 'Not hexadecimal: ""')),
  native('resolvePath', 'f, r', (runtime, file, other) => {
    const parts = expectText(runtime, file).split('/');
    return [...parts.slice(0, -1), expectText(runtime, other)].join('/');
  }),
];

function substr(runtime: Runtime, value: Value, from: Value, length: Value): Value {
  if (typeof value !== 'string') throw runtime.fail(`substr first parameter should be a string, got ${typeOf(value)}`);
  if (typeof from !== 'number') throw runtime.fail(`substr second parameter should be a number, got ${typeOf(from)}`);
  if (!Number.isInteger(from)) throw runtime.fail(`substr second parameter should be an integer, got ${from.toFixed(6)}`);
  if (from < 0) throw runtime.fail(`substr second parameter should be greater than zero, got ${from.toFixed(6)}`);
  if (typeof length !== 'number') throw runtime.fail(`substr third parameter should be a number, got ${typeOf(length)}`);
  if (!Number.isInteger(length)) throw runtime.fail(`substr third parameter should be an integer, got ${length.toFixed(6)}`);
  if (expectInteger(runtime, length) < 0) throw runtime.fail(`substr third parameter should be greater than zero, got ${length}`);
  return textSlice(value, from, from + length);
}

function beginsOrEnds(runtime: Runtime, value: Value, part: Value, isEnd: boolean): boolean {
  // Lists have a length too, and are found out only where theirs would do.
  if (lengthOf(runtime, value) < lengthOf(runtime, part)) return false;
  if (typeof value !== 'string') throw runtime.fail(`substr first parameter should be a string, got ${typeOf(value)}`);
  if (typeof part !== 'string') return false;
  return isEnd ? value.endsWith(part) : value.startsWith(part);
}

function strip(runtime: Runtime, value: Value, characters: Value, { isLeft = false, isRight = false }): string {
  const points = codePoints(expectText(runtime, value));
  if (points.length === 0) return '';
  if (typeof characters !== 'string' && !(characters instanceof JsonnetArray))
    throw runtime.fail('std.member first argument must be an array or a string');
  const set = typeof characters === 'string' ? new Set(codePoints(characters)) : undefined;
  const has = (character: string): boolean =>
    set?.has(character) ?? (characters as JsonnetArray).slots.some((slot) => equals(runtime, force(slot), character));
  let [from, to] = [0, points.length];
  while (isLeft && from < to && has(points[from] ?? '')) from += 1;
  while (isRight && to > from && has(points[to - 1] ?? '')) to -= 1;
  return points.slice(from, to).join('');
}

function splitLimit(runtime: Runtime, value: Value, separatorValue: Value, most: Value): JsonnetArray {
  const { text, separator, limit } = checkSplit(runtime, 'splitLimit', [value, separatorValue, most]);
  const parts = text.split(separator);
  runtime.makeList(parts.length);
  if (limit < 0 || parts.length <= limit + 1) return new JsonnetArray(parts);
  return new JsonnetArray([...parts.slice(0, limit), parts.slice(limit).join(separator)]);
}

function splitLimitRight(runtime: Runtime, value: Value, separatorValue: Value, most: Value): JsonnetArray {
  const { text, separator, limit } = checkSplit(runtime, 'splitLimitR', [value, separatorValue, most]);
  const parts: string[] = [];
  let rest = text;
  // Counted from the left, looked for from the right: where separators overlap, that makes a difference.
  const count = text.split(separator).length - 1;
  for (let left = limit < 0 ? count : Math.min(count, limit); left > 0; left -= 1) {
    const at = rest.lastIndexOf(separator);
    parts.push(rest.slice(at + separator.length));
    rest = rest.slice(0, at);
    runtime.step();
  }
  runtime.makeList(parts.length);
  return new JsonnetArray([rest, ...parts.toReversed()]);
}

function checkSplit(runtime: Runtime, name: string, [value, separatorValue, most]: readonly [Value, Value, Value]) {
  const [text, separator, limit] = [expectText(runtime, value), expectText(runtime, separatorValue), expectInteger(runtime, most)];
  if (limit < -1) throw runtime.fail(`std.${name} third parameter should be -1 or non-negative, got ${limit}`);
  if (separator === '') throw runtime.fail(`std.${name} second parameter should have length 1 or greater, got 0`);
  return { text, separator, limit };
}

function mapLetters(runtime: Runtime, value: Value, letters: RegExp, map: (letters: string) => string): string {
  if (value instanceof JsonnetArray) return value.slots.map((slot) => mapLetters(runtime, force(slot), letters, map)).join('');
  const text = expectText(runtime, value);
  runtime.makeText(text.length);
  return text.replace(letters, map);
}

/** Character by character, so that none becomes two. */
function sameFolded(one: string, other: string): boolean {
  const [left, right] = [codePoints(one), codePoints(other)];
  return (
    left.length === right.length &&
    left.every((character, at) => {
      const opposite = right[at] ?? '';
      return character.toLowerCase() === opposite.toLowerCase() || character.toUpperCase() === opposite.toUpperCase();
    })
  );
}

function findSubstr(runtime: Runtime, pattern: Value, value: Value): Value {
  if (typeof pattern !== 'string') throw runtime.fail(`findSubstr first parameter should be a string, got ${typeOf(pattern)}`);
  if (typeof value !== 'string') throw runtime.fail(`findSubstr second parameter should be a string, got ${typeOf(value)}`);
  const found: number[] = [];
  let [counted, points] = [0, 0];
  if (pattern !== '')
    for (let at = value.indexOf(pattern); at >= 0; at = value.indexOf(pattern, at + 1)) {
      runtime.makeList(found.length + 1, 1);
      points += textLength(value.slice(counted, at));
      counted = at;
      found.push(points);
    }
  return new JsonnetArray(found);
}

function parseNatural(runtime: Runtime, value: Value, base: number, empty: string): number {
  if (typeof value !== 'string') throw runtime.fail(`Expected string, got ${typeOf(value)}`);
  if (value === '') throw runtime.fail(empty);
  let result = 0;
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    const digit = code >= 97 ? code - 87 : code >= 65 ? code - 55 : code - 48;
    if (digit < 0 || digit >= base) throw runtime.fail(`${value} is not a base ${base} integer`);
    result = result * base + digit;
  }
  return result;
}
