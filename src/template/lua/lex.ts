import { TemplateError } from '../template-error.ts';

const KEYWORDS = new Set(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while'.split(' '),
);
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const OPERATOR = /\.\.\.|\.\.|==|~=|<=|>=|::|[-+*/%^#<>=(){}[\];:,.]/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /0[xX][0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const LONG_OPENING = /\[(=*)\[/y;

export type Token =
  | { readonly type: 'name' | 'word' | 'text'; readonly text: string; readonly line: number }
  | { readonly type: 'number'; readonly text: string; readonly value: number; readonly line: number }
  | { readonly type: 'end'; readonly text: ''; readonly line: number };

/** The tokens of a script, whose characters are bytes. Words are keywords and operators. Throws a TemplateError where there is none. */
export function lex(source: string): Token[] {
  const lexer = new Lexer(source);
  const tokens: Token[] = [];
  for (;;) {
    const token = lexer.next();
    tokens.push(token);
    if (token.type === 'end') return tokens;
  }
}

class Lexer {
  readonly #source: string;
  #at = 0;
  #line = 1;

  constructor(source: string) {
    this.#source = source;
    // What makes a file a program is no part of it.
    if (source.startsWith('#')) this.#at = source.indexOf('\n') < 0 ? source.length : source.indexOf('\n');
  }

  next(): Token {
    this.#skipBlanks();
    const line = this.#line;
    const character = this.#source[this.#at];
    if (character === undefined) return { type: 'end', text: '', line };
    const name = this.#take(NAME);
    if (name !== undefined) return { type: KEYWORDS.has(name) ? 'word' : 'name', text: name, line };
    const digits = this.#take(NUMBER);
    if (digits !== undefined) return this.#number(digits, line);
    if (character === '"' || character === "'") return { type: 'text', text: this.#quoted(character), line };
    const long = this.#long();
    if (long !== undefined) return { type: 'text', text: long, line };
    const operator = this.#take(OPERATOR);
    if (operator !== undefined) return { type: 'word', text: operator, line };
    throw this.#fail(`Invalid token '${character}'`);
  }

  #number(text: string, line: number): Token {
    if (/[A-Za-z0-9_.]/.test(this.#source[this.#at] ?? '')) throw this.#fail(`malformed number near '${text}'`);
    return { type: 'number', text, value: Number(text), line };
  }

  #skipBlanks(): void {
    for (;;) {
      const character = this.#source[this.#at];
      if (character === '\n') this.#line += 1;
      if (character !== undefined && ' \t\r\n\f\v'.includes(character)) this.#at += 1;
      else if (this.#source.startsWith('--', this.#at)) this.#skipComment();
      else return;
    }
  }

  #skipComment(): void {
    this.#at += 2;
    if (this.#long() !== undefined) return;
    const end = this.#source.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#source.length : end;
  }

  /** A text between long brackets; a line end straight after the first is no part of it. */
  #long(): string | undefined {
    LONG_OPENING.lastIndex = this.#at;
    const opening = LONG_OPENING.exec(this.#source);
    if (opening === null) return undefined;
    const from = this.#at + opening[0].length;
    const closing = `]${opening[1] ?? ''}]`;
    const to = this.#source.indexOf(closing, from);
    if (to < 0) throw this.#fail('unterminated multiline string');
    this.#at = to + closing.length;
    const text = this.#source.slice(from, to);
    for (const character of text) if (character === '\n') this.#line += 1;
    return text.replace(/^\r?\n/, '');
  }

  #quoted(mark: string): string {
    let text = '';
    this.#at += 1;
    for (;;) {
      const character = this.#source[this.#at];
      if (character === undefined || character === '\n') throw this.#fail('unterminated string');
      this.#at += 1;
      if (character === mark) return text;
      text += character === '\\' ? this.#escape() : character;
    }
  }

  #escape(): string {
    const digits = this.#take(/\d{1,3}/y);
    if (digits !== undefined) {
      if (Number(digits) > 255) throw this.#fail('escape sequence too large');
      return String.fromCharCode(Number(digits));
    }
    const character = this.#source[this.#at];
    if (character === undefined) throw this.#fail('unterminated string');
    this.#at += 1;
    if (character === '\n') this.#line += 1;
    return SIMPLE_ESCAPES[character] ?? character;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#source)?.[0];
    if (text !== undefined) this.#at += text.length;
    return text;
  }

  #fail(message: string): TemplateError {
    return new TemplateError(`<string> line:${this.#line}: ${message}`);
  }
}
