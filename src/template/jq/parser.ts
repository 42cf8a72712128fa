import { TemplateError } from '../template-error.ts';
import type { JqToken } from './lex.ts';
import type { Definition, JqNode } from './node.ts';

/** Parts of the grammar that parts below them need again. */
export interface Rules {
  /** Anything up to where a bracket closes. */
  readonly pipe: (parser: Parser) => JqNode;
  readonly alternative: (parser: Parser) => JqNode;
  readonly postfix: (parser: Parser) => JqNode;
  readonly suffixes: (parser: Parser) => JqNode;
  readonly definition: (parser: Parser) => Definition;
  /** A query in a text, which has tokens of its own. */
  readonly all: (tokens: readonly JqToken[], depth: number) => JqNode;
}

export interface Parser {
  readonly rules: Rules;
  readonly tokens: readonly JqToken[];
  at: number;
  depth: number;
}

export const IDENTITY: JqNode = { type: 'identity' };

export function peek(parser: Parser, ahead = 0): JqToken {
  return parser.tokens[parser.at + ahead] ?? { kind: 'end', text: '' };
}

export function isNext(parser: Parser, text: string, ahead = 0): boolean {
  const token = peek(parser, ahead);
  return (token.kind === 'mark' || token.kind === 'name') && token.text === text;
}

export function accept(parser: Parser, text: string): boolean {
  if (!isNext(parser, text)) return false;
  parser.at += 1;
  return true;
}

export function expect(parser: Parser, text: string): void {
  if (!accept(parser, text)) refuse(parser);
}

export function refuse(parser: Parser): never {
  const token = peek(parser);
  throw new TemplateError(token.kind === 'end' ? 'unexpected EOF' : `unexpected token ${JSON.stringify(token.text)}`);
}

export function takeName(parser: Parser): string {
  const token = peek(parser);
  if (token.kind !== 'name') refuse(parser);
  parser.at += 1;
  return token.text;
}

export function takeVariable(parser: Parser): string {
  const token = peek(parser);
  if (token.kind !== 'variable') refuse(parser);
  parser.at += 1;
  return token.text;
}
