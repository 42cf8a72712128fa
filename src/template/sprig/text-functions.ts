import { byteLength, fromBytes, sliceBytes, toBytes } from '../go/bytes.ts';
import { formatValue } from '../go/format-value.ts';
import { define, GoError } from '../go/go-function.ts';
import { quote } from '../go/quote.ts';
import { GoMap, strings } from '../go/value.ts';
import type { GoAny, GoInt } from '../go/value.ts';
import { toText, toTexts } from './convert.ts';
import type { FunctionContext, NamedFunctions } from './environment.ts';

const SPACES = '\\t\\n\\v\\f\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const ANY_SPACE = new RegExp(`[${SPACES}]`, 'u');
/** Where `title` sees no new word: after letters, digits, underscores and marks that are no space. */
const WORD_START = new RegExp(`(^|[\\0-/:-@[-^\`{-\\x7f${SPACES}])(\\p{L})`, 'gu');

/** How many pairs of a character in a text and one of what is looked for in it are about as much work as one step. */
const PAIRS_PER_STEP = 65_536;

export function textFunctions({ budget }: FunctionContext): NamedFunctions {
  const measured = (text: string): string => {
    budget.make(text.length);
    return text;
  };
  // Where much of a text is alike, all of what is looked for is compared at each of its places.
  const payForSearch = (text: string, part: string): void => budget.step((text.length * part.length) / PAIRS_PER_STEP);
  const split = (text: string, separator: string): string[] => {
    payForSearch(text, separator);
    const parts = splitText(text, separator);
    budget.make(parts.length);
    return parts;
  };
  const trimAll = define('string, string', (cutset: string, text: string) => trimSet(text, cutset));
  return [
    ['hello', define('', () => 'Hello!')],
    ['trim', define('string', trimSpace)],
    ['trimall', trimAll],
    ['trimAll', trimAll],
    [
      'trimSuffix',
      define('string, string', (end: string, text: string) => (end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text)),
    ],
    ['trimPrefix', define('string, string', (start: string, text: string) => (text.startsWith(start) ? text.slice(start.length) : text))],
    ['upper', define('string', (text: string) => mapCharacters(text, (character) => character.toUpperCase()))],
    ['lower', define('string', (text: string) => mapCharacters(text, (character) => character.toLowerCase()))],
    [
      'title',
      define('string', (text: string) =>
        text.replaceAll(WORD_START, (_, before: string, letter: string) => before + single(letter, letter.toUpperCase())),
      ),
    ],
    ['trunc', define('int, string', (count: GoInt, text: string) => truncate(text, Number(count.value)))],
    [
      'substr',
      define('int, int, string', (start: GoInt, end: GoInt, text: string) => substring(text, Number(start.value), Number(end.value))),
    ],
    [
      'repeat',
      define('int, string', (count: GoInt, text: string) => {
        if (count.value < 0n) throw new GoError('strings: negative Repeat count');
        budget.make(Number(count.value) * text.length);
        return text.repeat(Number(count.value));
      }),
    ],
    ['abbrev', define('int, string', (width: GoInt, text: string) => (width.value < 4n ? text : abbreviate(text, 0, Number(width.value))))],
    [
      'abbrevboth',
      define('int, int, string', (left: GoInt, right: GoInt, text: string) =>
        abbreviateBoth(text, Number(left.value), Number(right.value)),
      ),
    ],
    ['nospace', define('string', deleteSpace)],
    ['initials', define('string', initials)],
    ['wrap', define('int, string', (width: GoInt, text: string) => measured(wrap(text, Number(width.value), '', false)))],
    [
      'wrapWith',
      define('int, string, string', (width: GoInt, separator: string, text: string) =>
        measured(wrap(text, Number(width.value), separator, true)),
      ),
    ],
    [
      'contains',
      define('string, string', (part: string, text: string) => {
        payForSearch(text, part);
        return text.includes(part);
      }),
    ],
    ['hasPrefix', define('string, string', (start: string, text: string) => text.startsWith(start))],
    ['hasSuffix', define('string, string', (end: string, text: string) => text.endsWith(end))],
    [
      'quote',
      define('...any', (...values: GoAny[]) =>
        measured(
          present(values)
            .map((value) => quote(toText(value)))
            .join(' '),
        ),
      ),
    ],
    [
      'squote',
      define('...any', (...values: GoAny[]) =>
        measured(
          present(values)
            .map((value) => `'${formatValue(value)}'`)
            .join(' '),
        ),
      ),
    ],
    ['cat', define('...any', (...values: GoAny[]) => measured(present(values).map(formatValue).join(' ')))],
    ['indent', define('int, string', (count: GoInt, text: string) => measured(indent(text, count.value)))],
    ['nindent', define('int, string', (count: GoInt, text: string) => measured(`\n${indent(text, count.value)}`))],
    [
      'replace',
      define('string, string, string', (old: string, by: string, text: string) => {
        payForSearch(text, old);
        return replaceAll(text, old, by, measured);
      }),
    ],
    ['plural', define('string, string, int', (one: string, many: string, count: GoInt) => (count.value === 1n ? one : many))],
    ['toString', define('any', (value: GoAny) => measured(toText(value)))],
    ['join', define('string, any', (separator: string, value: GoAny) => measured(toTexts(value).join(separator)))],
    ['splitList', define('string, string', (separator: string, text: string) => strings(split(text, separator)))],
    ['split', define('string, string', (separator: string, text: string) => numbered(split(text, separator)))],
    [
      'splitn',
      define('string, int, string', (separator: string, count: GoInt, text: string) =>
        numbered(splitCount(split(text, separator), separator, Number(count.value))),
      ),
    ],
    ['toStrings', define('any', (value: GoAny) => strings(toTexts(value)))],
    [
      'fail',
      define('string', (message: string) => {
        throw new GoError(message);
      }),
    ],
  ];
}

function present(values: readonly GoAny[]): GoAny[] {
  return values.filter((value) => value !== null);
}

/** Go changes one character into one character: a result of two is none. */
function single(character: string, changed: string): string {
  return Array.from(changed).length === 1 ? changed : character;
}

function mapCharacters(text: string, change: (character: string) => string): string {
  let changed = '';
  for (const character of text) changed += single(character, change(character));
  return changed;
}

/** From both ends: an expression for the end would begin anew at every space. */
function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && ANY_SPACE.test(text.charAt(start))) start += 1;
  while (end > start && ANY_SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function trimSet(text: string, cutset: string): string {
  const cut = new Set(cutset);
  const characters = Array.from(text);
  let start = 0;
  let end = characters.length;
  while (start < end && cut.has(characters[start] ?? '')) start += 1;
  while (end > start && cut.has(characters[end - 1] ?? '')) end -= 1;
  return characters.slice(start, end).join('');
}

function truncate(text: string, count: number): string {
  const length = byteLength(text);
  if (count < 0 && length + count > 0) return sliceBytes(text, length + count, length);
  return count >= 0 && length > count ? sliceBytes(text, 0, count) : text;
}

function substring(text: string, start: number, end: number): string {
  const length = byteLength(text);
  const [from, to] = start < 0 ? [0, end] : end < 0 || end > length ? [start, length] : [start, end];
  if (to < 0 || to > length)
    throw new GoError(`runtime error: slice bounds out of range [:${to}]${to < 0 ? '' : ` with length ${length}`}`);
  if (from > to) throw new GoError(`runtime error: slice bounds out of range [${from}:${to}]`);
  return sliceBytes(text, from, to);
}

function abbreviateBoth(text: string, left: number, right: number): string {
  return right < 4 || (left > 0 && right < 7) ? text : abbreviate(text, left, right);
}

function abbreviate(text: string, offset: number, width: number): string {
  const length = byteLength(text);
  if (length <= width) return text;
  let start = Math.min(offset, length);
  if (length - start < width - 3) start = length - (width - 3);
  if (start <= 4) return `${sliceBytes(text, 0, width - 3)}...`;
  if (width < 7) return '';
  if (start + width - 3 < length) return `...${abbreviate(sliceBytes(text, start, length), 0, width - 3)}`;
  return `...${sliceBytes(text, length - (width - 3), length)}`;
}

/** Bytes are taken for characters here, as the original does. */
function deleteSpace(text: string): string {
  const bytes = Array.from(toBytes(text), (byte) => String.fromCharCode(byte));
  const kept = bytes.filter((character) => !ANY_SPACE.test(character));
  return kept.length === bytes.length ? text : kept.join('');
}

function initials(text: string): string {
  let letters = '';
  let gap = true;
  for (const byte of toBytes(text)) {
    const character = String.fromCharCode(byte);
    const isSpace = ANY_SPACE.test(character);
    if (gap && !isSpace) letters += character;
    gap = isSpace;
  }
  return letters;
}

function wrap(text: string, wantedWidth: number, separator: string, breakWords: boolean): string {
  const bytes = toBytes(text);
  const width = Math.max(1, wantedWidth);
  const lines: string[] = [];
  let at = 0;
  const cut = (end: number, next: number): void => {
    lines.push(fromBytes(bytes.subarray(at, end)));
    at = next;
  };
  while (bytes.length - at > width) {
    if (bytes[at] === 0x20) {
      at += 1;
      continue;
    }
    const space = bytes.subarray(at, at + width + 1).lastIndexOf(0x20);
    // Looked for only where it is needed: it may be at the other end.
    const later = space >= 0 || breakWords ? -1 : bytes.indexOf(0x20, at + width);
    if (space >= 0) cut(at + space, at + space + 1);
    else if (breakWords) cut(at + width, at + width);
    else if (later >= 0) cut(later, later + 1);
    else break;
  }
  return [...lines, fromBytes(bytes.subarray(at))].join(separator === '' ? '\n' : separator);
}

function indent(text: string, count: bigint): string {
  if (count < 0n) throw new GoError('strings: negative Repeat count');
  const margin = ' '.repeat(Math.min(Number(count), 1 << 20));
  return margin + text.replaceAll('\n', `\n${margin}`);
}

function replaceAll(text: string, old: string, by: string, measured: (text: string) => string): string {
  const parts = splitText(text, old);
  if (old === '') return measured(`${by}${parts.join(by)}${parts.length > 0 ? by : ''}`);
  return measured(parts.join(by));
}

/** As `strings.Split`: an empty separator gives the characters. */
function splitText(text: string, separator: string): string[] {
  return separator === '' ? Array.from(text) : text.split(separator);
}

function splitCount(parts: readonly string[], separator: string, count: number): readonly string[] {
  if (count === 0) return [];
  if (count < 0 || parts.length <= count) return parts;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function numbered(parts: readonly string[]): GoMap {
  return new GoMap(new Map(parts.map((part, at) => [`_${at}`, part])), 'string');
}
