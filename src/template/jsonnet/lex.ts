import { staticError } from './jsonnet-error.ts';
import type { Source } from './jsonnet-error.ts';
import { lexTextBlock, unescapeText } from './lex-text.ts';

/** A word is a name, a keyword or the `$`; a sign is a bracket or other single mark; operators are made of symbols. */
export interface Token {
  readonly kind: 'word' | 'sign' | 'operator' | 'number' | 'text' | 'block' | 'end';
  /** What it says: for texts their value, without quotes and escapes. */
  readonly text: string;
  readonly offset: number;
  /** Where the next one may begin. */
  readonly end: number;
}

const SPACE = /(?:[ \t\r\n]|#[^\n]*|\/\/[^\n]*)+/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][-+]?[0-9](?:_?[0-9])*)?/y;
/** What would be read as one more part of a number, and is none. */
const AFTER_NUMBER = /[_0-9]|\.(?![0-9])|[eE](?![-+]?[0-9])/y;
/** More than any operator has: a long row of signs is not looked at again and again. */
const SYMBOLS = /[!$:~+\-&|^=<>*/%]{1,64}/y;
const BACKSLASH = 92;
const TOKENS_MAX = 2_000_000;

export function lex(source: Source): Token[] {
  const { text } = source;
  const tokens: Token[] = [];
  let at = skipSpace(source, 0);
  while (at < text.length) {
    const token = lexOne(source, at);
    tokens.push(token);
    if (tokens.length > TOKENS_MAX) throw staticError('The program is too long.', { source, offset: at });
    at = skipSpace(source, token.end);
  }
  tokens.push({ kind: 'end', text: 'end of file', offset: text.length, end: text.length });
  return tokens;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function skipSpace(source: Source, from: number): number {
  const { text } = source;
  let at = from;
  for (;;) {
    at += match(SPACE, text, at)?.length ?? 0;
    if (!text.startsWith('/*', at)) return at;
    const end = text.indexOf('*/', at + 2);
    if (end < 0) throw staticError('Multi-line comment has no terminating */', { source, offset: at });
    at = end + 2;
  }
}

function lexOne(source: Source, at: number): Token {
  const { text } = source;
  const character = text[at] ?? '';
  if ('{}[],.();'.includes(character)) return { kind: 'sign', text: character, offset: at, end: at + 1 };
  if (character >= '0' && character <= '9') return lexNumber(source, at);
  if (character === '"' || character === "'") return lexQuoted(source, at, character);
  if (character === '@') return lexVerbatim(source, at);
  const word = match(WORD, text, at);
  if (word !== undefined) return { kind: 'word', text: word, offset: at, end: at + word.length };
  if (text.startsWith('|||', at)) {
    const block = lexTextBlock(source, at);
    return { kind: 'block', text: block.value, offset: at, end: block.end };
  }
  return lexOperator(source, at);
}

function lexQuoted(source: Source, at: number, quote: string): Token {
  const place = { source, offset: at };
  const end = findQuote(source.text, at + 1, quote);
  if (end < 0) throw staticError('Unterminated String', place);
  return { kind: 'text', text: unescapeText(source.text.slice(at + 1, end), place), offset: at, end: end + 1 };
}

function lexVerbatim(source: Source, at: number): Token {
  const { text } = source;
  const place = { source, offset: at };
  const quote = text[at + 1] ?? '';
  if (quote !== '"' && quote !== "'") throw staticError("Couldn't lex verbatim string, junk after '@'", place);
  const end = findVerbatimQuote(text, at + 2, quote);
  if (end < 0) throw staticError('Unterminated String', place);
  return { kind: 'text', text: text.slice(at + 2, end).replaceAll(quote + quote, quote), offset: at, end: end + 1 };
}

/** The quote that ends a text: not one after a backslash. */
function findQuote(text: string, from: number, quote: string): number {
  const wanted = quote.charCodeAt(0);
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === wanted) return at;
    if (code === BACKSLASH) at += 1;
  }
  return -1;
}

/** Where nothing is escaped, two quotes are one. */
function findVerbatimQuote(text: string, from: number, quote: string): number {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 2)) if (text[at + 1] !== quote) return at;
  return -1;
}

function lexNumber(source: Source, at: number): Token {
  const digits = match(NUMBER, source.text, at) ?? '';
  const end = at + digits.length;
  // Zeros in front: `012` is two numbers, and no place takes two.
  if (match(AFTER_NUMBER, source.text, end) !== undefined && !/^0$/.test(digits))
    throw staticError("Couldn't lex number, junk after it", { source, offset: end });
  if (digits === '0' && match(/[_.eE]/y, source.text, end) !== undefined)
    throw staticError("Couldn't lex number, junk after it", { source, offset: end });
  return { kind: 'number', text: digits.replaceAll('_', ''), offset: at, end };
}

/** As many symbols as belong together: a sign of a number after an operator does not, nor does the beginning of a comment. */
function lexOperator(source: Source, at: number): Token {
  const symbols = match(SYMBOLS, source.text, at);
  if (symbols === undefined)
    throw staticError(`Could not lex the character ${JSON.stringify(String.fromCodePoint(source.text.codePointAt(at) ?? 0))}`, {
      source,
      offset: at,
    });
  const stops = ['//', '/*', '|||'].map((mark) => symbols.indexOf(mark, 1)).filter((index) => index > 0);
  let length = Math.min(symbols.length, ...stops);
  while (length > 1 && '+-~!$'.includes(symbols[length - 1] ?? '')) length -= 1;
  const operator = symbols.slice(0, length);
  return { kind: operator === '$' ? 'word' : 'operator', text: operator, offset: at, end: at + length };
}
