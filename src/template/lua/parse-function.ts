import type { FunctionNode, Variable } from './node.ts';
import { checkLabels } from './check-labels.ts';
import { parseBlock } from './parse-statement.ts';
import type { Parser } from './parser.ts';
import { FunctionScope } from './scope.ts';

/** From the parameters to the end; a method has one more parameter before them. */
export function parseFunctionBody(parser: Parser, isMethod: boolean): FunctionNode {
  parser.expect('(');
  const names = isMethod ? ['self'] : [];
  let isVariadic = false;
  while (!parser.sees(')')) {
    isVariadic = parser.accept('...');
    if (isVariadic) break;
    names.push(parser.expectName());
    if (!parser.accept(',')) break;
    if (parser.sees(')')) throw parser.fail();
  }
  parser.expect(')');
  const outer = parser.scope;
  const scope = new FunctionScope(outer, isVariadic);
  parser.scope = scope;
  scope.openBlock();
  const parameters: Variable[] = names.map((name) => scope.declare(name));
  const body = parseBlock(parser);
  scope.closeBlock();
  parser.scope = outer;
  parser.expect('end');
  checkLabels(body);
  return { type: 'function', parameters, isVariadic, body, captures: scope.captures, slotCount: scope.slotCount };
}
