import { checkLabels } from './check-labels.ts';
import type { FunctionNode } from './node.ts';
import { parseFunctionBody } from './parse-function.ts';
import { parseBlock } from './parse-statement.ts';
import { Parser } from './parser.ts';
import { FunctionScope } from './scope.ts';

/** A whole script, whose characters are bytes: a function that takes any arguments. Throws a TemplateError where it is no Lua. */
export function parseChunk(source: string): FunctionNode {
  const scope = new FunctionScope(undefined, true);
  const parser = new Parser(source, scope, parseFunctionBody);
  const body = parseBlock(parser);
  if (parser.token.type !== 'end') throw parser.fail();
  checkLabels(body);
  return { type: 'function', parameters: [], isVariadic: true, body, captures: [], slotCount: scope.slotCount };
}
