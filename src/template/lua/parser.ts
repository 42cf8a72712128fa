import { LimitError, TemplateError } from '../template-error.ts';
import { lex } from './lex.ts';
import type { Token } from './lex.ts';
import type { FunctionNode } from './node.ts';
import type { FunctionScope } from './scope.ts';

/** How deep expressions and blocks may be in each other, about as deep as the original goes. */
const DEPTH_MAX = 180;

/** The tokens that are still to be read, and the function that they are in. */
export class Parser {
  scope: FunctionScope;
  /** What reads a function from its parameters to its end: functions are in expressions, and the other way round. */
  readonly functionBody: (isMethod: boolean) => FunctionNode;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(source: string, scope: FunctionScope, parseFunctionBody: (parser: Parser, isMethod: boolean) => FunctionNode) {
    this.#tokens = lex(source);
    this.scope = scope;
    this.functionBody = (isMethod) => parseFunctionBody(this, isMethod);
  }

  get token(): Token {
    const token = this.#tokens[this.#at] ?? this.#tokens.at(-1);
    if (token === undefined) throw new TemplateError('<string>: no tokens');
    return token;
  }

  get following(): Token {
    return this.#tokens[this.#at + 1] ?? this.token;
  }

  advance(): Token {
    const { token } = this;
    this.#at += 1;
    return token;
  }

  /** Whether one of these keywords or operators comes next. */
  sees(...words: readonly string[]): boolean {
    return this.token.type === 'word' && words.includes(this.token.text);
  }

  /** Takes the word if it comes next. */
  accept(word: string): boolean {
    if (!this.sees(word)) return false;
    this.#at += 1;
    return true;
  }

  expect(word: string): Token {
    if (!this.sees(word)) throw this.fail(`'${word}' expected`);
    return this.advance();
  }

  expectName(): string {
    if (this.token.type !== 'name') throw this.fail('a name expected');
    return this.advance().text;
  }

  fail(message = 'syntax error'): TemplateError {
    const { text, type, line } = this.token;
    return new TemplateError(`<string> line:${line} near '${type === 'end' ? 'EOF' : text}': ${message}`);
  }

  nested<Result>(work: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new LimitError(`<string> line:${this.token.line}: more than ${DEPTH_MAX} levels in each other`);
    try {
      return work();
    } finally {
      this.#depth -= 1;
    }
  }
}
