import { staticError } from './jsonnet-error.ts';
import type { JsonnetError, Source } from './jsonnet-error.ts';
import { lex } from './lex.ts';
import type { Token } from './lex.ts';
import type { Node } from './node.ts';

const DEPTH_MAX = 800;

/** Goes through the tokens of a program; what reads its parts share one. */
export class TokenReader {
  readonly source: Source;
  readonly #tokens: readonly Token[];
  readonly #parseExpression: (reader: TokenReader) => Node;
  #at = 0;
  #depth = 0;

  constructor(source: Source, parseExpression: (reader: TokenReader) => Node) {
    this.source = source;
    this.#tokens = lex(source);
    this.#parseExpression = parseExpression;
  }

  /** The next token, or one that comes `ahead` of it, without taking it. */
  peek(ahead = 0): Token {
    const token = this.#tokens[this.#at + ahead] ?? this.#tokens.at(-1);
    if (token === undefined) throw new Error('there is always a token that ends the program');
    return token;
  }

  take(): Token {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  /** Whether the next token is this word, sign or operator. */
  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && token.kind !== 'text' && token.kind !== 'block';
  }

  takeIf(text: string): boolean {
    if (!this.is(text)) return false;
    this.#at += 1;
    return true;
  }

  expect(text: string): Token {
    if (!this.is(text)) throw this.unexpected(text);
    return this.take();
  }

  name(): string {
    const { kind, text } = this.peek();
    if (kind !== 'word' || KEYWORDS.has(text)) throw this.unexpected('a name');
    return this.take().text;
  }

  expression(): Node {
    return this.nest(() => this.#parseExpression(this));
  }

  /** Counts the levels, so that no program is deeper than what goes through it. */
  nest(parsePart: () => Node): Node {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw this.fail('The program is nested too deeply.');
    const node = parsePart();
    this.#depth -= 1;
    return node;
  }

  unexpected(wanted: string): JsonnetError {
    const { kind, text } = this.peek();
    return this.fail(`Expected ${wanted} but got ${kind === 'end' ? text : JSON.stringify(text)}`);
  }

  fail(message: string, offset = this.peek().offset): JsonnetError {
    return staticError(message, { source: this.source, offset });
  }
}

export const KEYWORDS: ReadonlySet<string> = new Set([
  'assert',
  'else',
  'error',
  'false',
  'for',
  'function',
  'if',
  'import',
  'importstr',
  'importbin',
  'in',
  'local',
  'null',
  'self',
  'super',
  'tailstrict',
  'then',
  'true',
  '$',
]);
