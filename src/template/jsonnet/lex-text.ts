import { staticError } from './jsonnet-error.ts';
import type { Place, Source } from './jsonnet-error.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const REPLACEMENT = '\ufffd';

export function unescapeText(text: string, place: Place): string {
  if (!text.includes('\\')) return text;
  let result = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character !== '\\') {
      result += character;
      continue;
    }
    at += 1;
    const escape = text[at] ?? '';
    if (escape === 'u') {
      const unit = hexUnit(text, at + 1, place);
      at += 4;
      if (unit < 0xd800 || unit > 0xdfff) result += String.fromCharCode(unit);
      else {
        if (text.slice(at + 1, at + 3) !== '\\u')
          throw staticError('Unicode surrogate pair escape sequence missing low surrogate in string literal.', place);
        result += pair(unit, hexUnit(text, at + 3, place));
        at += 6;
      }
    } else {
      const plain = Object.hasOwn(ESCAPES, escape) ? ESCAPES[escape] : undefined;
      if (plain === undefined) throw staticError(`Unknown escape sequence in string literal: \\${escape}`, place);
      result += plain;
    }
  }
  return result;
}

function hexUnit(text: string, at: number, place: Place): number {
  const digits = text.slice(at, at + 4);
  if (digits.length < 4) throw staticError('Truncated unicode escape sequence in string literal.', place);
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw staticError('Unicode escape sequence was malformed', place);
  return Number.parseInt(digits, 16);
}

/** Two halves that do not belong together are one character that cannot be shown. */
function pair(high: number, low: number): string {
  return high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff ? String.fromCharCode(high, low) : REPLACEMENT;
}

/** The text between `|||` and `|||`: the white space that begins its first line is taken from every line. */
export function lexTextBlock(source: Source, from: number): { readonly value: string; readonly end: number } {
  const { text } = source;
  const place = { source, offset: from };
  let at = from + 3;
  const isChomped = text[at] === '-';
  if (isChomped) at += 1;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at += 1;
  if (text[at] !== '\n') throw staticError('Text block requires new line after |||.', place);
  at += 1;
  let value = '';
  while (text[at] === '\n') {
    value += '\n';
    at += 1;
  }
  const indent = /[ \t]*/y;
  indent.lastIndex = at;
  const margin = indent.exec(text)?.[0] ?? '';
  if (margin === '') throw staticError("Text block's first line must start with whitespace", place);
  while (text.startsWith(margin, at)) {
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd < 0) throw staticError('Unexpected EOF', place);
    value += text.slice(at + margin.length, lineEnd + 1);
    at = lineEnd + 1;
    while (text[at] === '\n') {
      value += '\n';
      at += 1;
    }
  }
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  if (!text.startsWith('|||', at)) throw staticError('Text block not terminated with |||', place);
  return { value: isChomped ? value.replace(/\n$/, '') : value, end: at + 3 };
}
