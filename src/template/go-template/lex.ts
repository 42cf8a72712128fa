import { trimEndOf } from '../../base/index.ts';
import { isPrint, quote } from '../go/quote.ts';
import { isKeyword } from './token.ts';
import type { Token, TokenKind } from './token.ts';

const SPACE = /[ \t\r\n]/;
const LEADING_SPACE = /[ \t\r\n]*/y;
const WORD = /[_\p{L}\p{Nd}]*/uy;
const WORD_CHARACTER = /^[_\p{L}\p{Nd}]/u;
const QUOTED = /(?:\\[^\n]|[^\\"\n])*"/y;
const CHARACTER = /(?:\\[^\n]|[^\\'\n])*'/y;
const NUMBER =
  /[-+]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][-+]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9_]*)?)i?/y;

interface Lexer {
  readonly input: string;
  pos: number;
  line: number;
  counted: number;
  insideAction: boolean;
  parenDepth: number;
  ended: boolean;
}

/** Takes a template apart, one token each time it is asked; after an error or the end there is only EOF. */
export function createLexer(input: string): () => Token {
  const lexer: Lexer = { input, pos: 0, line: 1, counted: 0, insideAction: false, parenDepth: 0, ended: false };
  return () => {
    if (lexer.ended) return { kind: 'EOF', text: 'EOF', pos: lexer.pos, line: lexer.line };
    return lexer.insideAction ? lexInsideAction(lexer) : lexText(lexer);
  };
}

function lexText(lexer: Lexer): Token {
  const { input } = lexer;
  for (;;) {
    const start = lexer.pos;
    const delimiter = input.indexOf('{{', start);
    if (delimiter < 0) {
      if (start < input.length) return emit(lexer, 'text', start, input.length);
      lexer.ended = true;
      return { kind: 'EOF', text: 'EOF', pos: start, line: lineAt(lexer, start) };
    }
    const trims = input[delimiter + 2] === '-' && SPACE.test(input[delimiter + 3] ?? '');
    if (delimiter > start) {
      const text = trims ? trimEndOf(input.slice(start, delimiter), ' \t\r\n') : input.slice(start, delimiter);
      lexer.pos = delimiter;
      if (text !== '') return { kind: 'text', text, pos: start, line: lineAt(lexer, start) };
    }
    const inside = delimiter + (trims ? 4 : 2);
    if (!input.startsWith('/*', inside)) {
      lexer.insideAction = true;
      lexer.parenDepth = 0;
      lexer.pos = inside;
      return { kind: 'leftDelim', text: '{{', pos: delimiter, line: lineAt(lexer, delimiter) };
    }
    const failure = skipComment(lexer, inside);
    if (failure !== undefined) return failure;
  }
}

function skipComment(lexer: Lexer, start: number): Token | undefined {
  const end = lexer.input.indexOf('*/', start + 2);
  if (end < 0) return fail(lexer, start, 'unclosed comment');
  const delimiter = rightDelimiter(lexer.input, end + 2);
  if (delimiter === undefined) return fail(lexer, start, 'comment ends before closing delimiter');
  lexer.pos = delimiter.end;
  return undefined;
}

/** `}}` or ` -}}` at a place: where it begins without its trim marker, and where the text after it begins. */
function rightDelimiter(input: string, at: number): { start: number; end: number } | undefined {
  if (SPACE.test(input[at] ?? '') && input.startsWith('-}}', at + 1)) {
    LEADING_SPACE.lastIndex = at + 4;
    return { start: at + 2, end: at + 4 + (LEADING_SPACE.exec(input)?.[0].length ?? 0) };
  }
  return input.startsWith('}}', at) ? { start: at, end: at + 2 } : undefined;
}

function lexInsideAction(lexer: Lexer): Token {
  const { input, pos } = lexer;
  const delimiter = rightDelimiter(input, pos);
  if (delimiter !== undefined) {
    if (lexer.parenDepth > 0) return fail(lexer, pos, 'unclosed left paren');
    lexer.insideAction = false;
    lexer.pos = delimiter.end;
    return { kind: 'rightDelim', text: '}}', pos: delimiter.start, line: lineAt(lexer, delimiter.start) };
  }
  const character = pos < input.length ? String.fromCodePoint(input.codePointAt(pos) ?? 0) : '';
  const next = input[pos + 1] ?? '';
  if (character === '') return fail(lexer, pos, 'unclosed action');
  if (SPACE.test(character)) return lexSpace(lexer);
  if (character === '=') return emit(lexer, 'assign', pos, pos + 1);
  if (character === ':') return next === '=' ? emit(lexer, 'declare', pos, pos + 2) : fail(lexer, pos, 'expected :=');
  if (character === '|') return emit(lexer, 'pipe', pos, pos + 1);
  if (character === '"') return lexDelimited(lexer, QUOTED, 'string', 'unterminated quoted string');
  if (character === "'") return lexDelimited(lexer, CHARACTER, 'charConstant', 'unterminated character constant');
  if (character === '`') return lexRaw(lexer);
  if (character === '$') return lexFieldOrVariable(lexer, 'variable');
  if (character === '.' && pos + 1 < input.length && !/[0-9]/.test(next)) return lexFieldOrVariable(lexer, 'field');
  if (/[-+.0-9]/.test(character)) return lexNumber(lexer);
  if (WORD_CHARACTER.test(character)) return lexWord(lexer);
  return lexMark(lexer, character);
}

function lexMark(lexer: Lexer, character: string): Token {
  const { pos } = lexer;
  if (character === '(') {
    lexer.parenDepth += 1;
    return emit(lexer, 'leftParen', pos, pos + 1);
  }
  if (character === ')') {
    lexer.parenDepth -= 1;
    return lexer.parenDepth < 0 ? fail(lexer, pos, 'unexpected right paren') : emit(lexer, 'rightParen', pos, pos + 1);
  }
  if (character <= '\x7f' && isPrint(character)) return emit(lexer, 'char', pos, pos + 1);
  return fail(lexer, pos, `unrecognized character in action: ${describeCharacter(character)}`);
}

/** Space ends before the one that belongs to a trim marker. */
function lexSpace(lexer: Lexer): Token {
  const { input, pos } = lexer;
  LEADING_SPACE.lastIndex = pos;
  let end = pos + (LEADING_SPACE.exec(input)?.[0].length ?? 0);
  if (input.startsWith('-}}', end)) end -= 1;
  return emit(lexer, 'space', pos, end);
}

function lexDelimited(lexer: Lexer, pattern: RegExp, kind: TokenKind, problem: string): Token {
  const start = lexer.pos;
  pattern.lastIndex = start + 1;
  const found = pattern.exec(lexer.input);
  return found === null ? fail(lexer, start, problem) : emit(lexer, kind, start, start + 1 + found[0].length);
}

function lexRaw(lexer: Lexer): Token {
  const end = lexer.input.indexOf('`', lexer.pos + 1);
  return end < 0 ? fail(lexer, lexer.pos, 'unterminated raw quoted string') : emit(lexer, 'rawString', lexer.pos, end + 1);
}

function lexFieldOrVariable(lexer: Lexer, kind: 'field' | 'variable'): Token {
  const start = lexer.pos;
  if (isTerminator(lexer.input, start + 1)) return emit(lexer, kind === 'field' ? 'dot' : kind, start, start + 1);
  WORD.lastIndex = start + 1;
  const end = start + 1 + (WORD.exec(lexer.input)?.[0].length ?? 0);
  if (!isTerminator(lexer.input, end)) return fail(lexer, start, `bad character ${characterAt(lexer.input, end)}`);
  return emit(lexer, kind, start, end);
}

function lexWord(lexer: Lexer): Token {
  const start = lexer.pos;
  WORD.lastIndex = start;
  const word = WORD.exec(lexer.input)?.[0] ?? '';
  const end = start + word.length;
  if (!isTerminator(lexer.input, end)) return fail(lexer, start, `bad character ${characterAt(lexer.input, end)}`);
  const kind = isKeyword(word) ? word : word === 'true' || word === 'false' ? 'bool' : 'identifier';
  return emit(lexer, kind, start, end);
}

function lexNumber(lexer: Lexer): Token {
  const { input, pos } = lexer;
  const end = numberEnd(input, pos);
  if (end.bad) return fail(lexer, pos, `bad number syntax: ${quote(input.slice(pos, end.at))}`);
  if (!/[-+]/.test(input[end.at] ?? '')) return emit(lexer, 'number', pos, end.at);
  const second = numberEnd(input, end.at);
  if (second.bad || input[second.at - 1] !== 'i') return fail(lexer, pos, `bad number syntax: ${quote(input.slice(pos, second.at))}`);
  return emit(lexer, 'complex', pos, second.at);
}

function numberEnd(input: string, start: number): { at: number; bad: boolean } {
  NUMBER.lastIndex = start;
  const at = start + (NUMBER.exec(input)?.[0].length ?? 0);
  const next = String.fromCodePoint(input.codePointAt(at) ?? 0);
  return WORD_CHARACTER.test(next) ? { at: at + next.length, bad: true } : { at, bad: false };
}

function isTerminator(input: string, at: number): boolean {
  return at >= input.length || /[ \t\r\n.,|:)(]/.test(input[at] ?? '') || input.startsWith('}}', at);
}

function characterAt(input: string, at: number): string {
  return describeCharacter(String.fromCodePoint(input.codePointAt(at) ?? 0));
}

function describeCharacter(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return isPrint(character) ? `${code} '${character}'` : code;
}

function emit(lexer: Lexer, kind: TokenKind, start: number, end: number): Token {
  lexer.pos = end;
  return { kind, text: lexer.input.slice(start, end), pos: start, line: lineAt(lexer, start) };
}

function fail(lexer: Lexer, at: number, message: string): Token {
  lexer.ended = true;
  return { kind: 'error', text: message, pos: at, line: lineAt(lexer, at) };
}

/** Places are asked for in rising order, so that lines are counted once. */
function lineAt(lexer: Lexer, at: number): number {
  for (let next = lexer.input.indexOf('\n', lexer.counted); next >= 0 && next < at; next = lexer.input.indexOf('\n', next + 1)) {
    lexer.line += 1;
    lexer.counted = next + 1;
  }
  return lexer.line;
}
