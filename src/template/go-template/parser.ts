import { TemplateError } from '../template-error.ts';
import type { ListNode } from './node.ts';
import { describeToken } from './token.ts';
import type { Token } from './token.ts';

/** How deep actions and brackets may be in each other. */
const DEPTH_MAX = 400;

/** One template of a text: the text itself, or what `define` and `block` name. */
export interface Tree {
  readonly name: string;
  readonly root: ListNode;
}

export interface Parser {
  readonly name: string;
  readonly trees: Map<string, Tree>;
  readonly hasFunction: (name: string) => boolean;
  readonly tokens: Token[];
  readonly lex: () => Token;
  at: number;
  variables: string[];
  rangeDepth: number;
  depth: number;
  actionLine: number;
}

export function next(parser: Parser): Token {
  const token = peek(parser);
  parser.at += 1;
  return token;
}

export function peek(parser: Parser): Token {
  const known = parser.tokens[parser.at];
  if (known !== undefined) return known;
  const token = parser.lex();
  parser.tokens.push(token);
  return token;
}

export function nextNonSpace(parser: Parser): Token {
  let token = next(parser);
  while (token.kind === 'space') token = next(parser);
  return token;
}

export function peekNonSpace(parser: Parser): Token {
  const token = nextNonSpace(parser);
  parser.at -= 1;
  return token;
}

/** Refuses the text, naming the line of the last token that was looked at. */
export function refuse(parser: Parser, message: string): never {
  throw new TemplateError(`template: ${parser.name}:${parser.tokens.at(-1)?.line ?? 1}: ${message}`);
}

export function unexpected(parser: Parser, token: Token, context: string): never {
  if (token.kind !== 'error') refuse(parser, `unexpected ${describeToken(token)} in ${context}`);
  let extra = '';
  if (parser.actionLine !== 0 && parser.actionLine !== token.line) {
    const where = `${parser.name}:${parser.actionLine}`;
    extra = token.text.endsWith(' action') ? ` started at ${where}` : ` in action started at ${where}`;
  }
  return refuse(parser, token.text + extra);
}

export function nested<Result>(parser: Parser, parse: () => Result): Result {
  parser.depth += 1;
  if (parser.depth > DEPTH_MAX) refuse(parser, 'max expression depth exceeded');
  const result = parse();
  parser.depth -= 1;
  return result;
}
