import type { BinaryOperator, CallNode, Expression, IndexNode, NameNode, TableField, UnaryOperator } from './node.ts';
import type { Parser } from './parser.ts';

/** How tightly operators bind on their left and on their right: those that are looser on the right group to the right. */
const BINDING: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['or', [1, 1]],
  ['and', [2, 2]],
  ...['<', '>', '<=', '>=', '~=', '=='].map((operator): [string, [number, number]] => [operator, [3, 3]]),
  ['..', [5, 4]],
  ['+', [6, 6]],
  ['-', [6, 6]],
  ['*', [7, 7]],
  ['/', [7, 7]],
  ['%', [7, 7]],
  ['^', [10, 9]],
]);
const UNARY_BINDING = 8;

export function parseExpression(parser: Parser, bindingMin = 0): Expression {
  return parser.nested(() => {
    let left = parseOperand(parser);
    for (;;) {
      const binding = parser.token.type === 'word' ? BINDING.get(parser.token.text) : undefined;
      if (binding === undefined || binding[0] <= bindingMin) return left;
      const { text, line } = parser.advance();
      const right = parseExpression(parser, binding[1]);
      left = { type: 'binary', operator: text as BinaryOperator, left, right, line };
    }
  });
}

export function parseExpressions(parser: Parser): Expression[] {
  const list = [parseExpression(parser)];
  while (parser.accept(',')) list.push(parseExpression(parser));
  return list;
}

function parseOperand(parser: Parser): Expression {
  if (!parser.sees('-', 'not', '#')) return parseSimple(parser);
  const { text, line } = parser.advance();
  const operand = parseExpression(parser, UNARY_BINDING);
  if (text === '-' && operand.type === 'constant' && typeof operand.value === 'number') return { type: 'constant', value: -operand.value };
  return { type: 'unary', operator: text as UnaryOperator, operand, line };
}

function parseSimple(parser: Parser): Expression {
  const { token } = parser;
  if (token.type === 'number') {
    parser.advance();
    return { type: 'constant', value: token.value };
  }
  if (token.type === 'text') {
    parser.advance();
    return { type: 'constant', value: token.text };
  }
  if (parser.accept('nil')) return { type: 'constant', value: undefined };
  if (parser.accept('true')) return { type: 'constant', value: true };
  if (parser.accept('false')) return { type: 'constant', value: false };
  if (parser.sees('...')) {
    if (!parser.scope.isVariadic) throw parser.fail("cannot use '...' outside a vararg function");
    parser.advance();
    return { type: 'varargs' };
  }
  if (parser.sees('{')) return parseTable(parser);
  if (parser.accept('function')) return parser.functionBody(false);
  return parseSuffixed(parser);
}

/** A name or something in brackets, and what is asked of it: fields, items and calls. */
export function parseSuffixed(parser: Parser): NameNode | IndexNode | CallNode | Expression {
  let value: Expression;
  if (parser.accept('(')) {
    value = { type: 'single', value: parseExpression(parser) };
    parser.expect(')');
  } else {
    const { line } = parser.token;
    value = parser.scope.resolve(parser.expectName(), line);
  }
  for (;;) {
    const { line } = parser.token;
    if (parser.accept('.')) value = { type: 'index', target: value, key: { type: 'constant', value: parser.expectName() }, line };
    else if (parser.accept('[')) {
      value = { type: 'index', target: value, key: parseExpression(parser), line };
      parser.expect(']');
    } else if (parser.accept(':')) {
      const method = parser.expectName();
      if (!seesArguments(parser)) throw parser.fail();
      value = { type: 'call', target: value, method, args: parseArguments(parser), line };
    } else if (seesArguments(parser)) value = { type: 'call', target: value, method: undefined, args: parseArguments(parser), line };
    else return value;
  }
}

function seesArguments(parser: Parser): boolean {
  return parser.token.type === 'text' || parser.sees('(', '{');
}

function parseArguments(parser: Parser): Expression[] {
  const { token } = parser;
  if (token.type === 'text') {
    parser.advance();
    return [{ type: 'constant', value: token.text }];
  }
  if (parser.sees('{')) return [parseTable(parser)];
  parser.expect('(');
  if (parser.accept(')')) return [];
  const args = parseExpressions(parser);
  parser.expect(')');
  return args;
}

function parseTable(parser: Parser): Expression {
  parser.expect('{');
  const fields: TableField[] = [];
  while (!parser.sees('}')) {
    fields.push(parseField(parser));
    if (!parser.accept(',') && !parser.accept(';')) break;
  }
  parser.expect('}');
  return { type: 'table', fields };
}

function parseField(parser: Parser): TableField {
  const { line } = parser.token;
  if (parser.accept('[')) {
    const key = parseExpression(parser);
    parser.expect(']');
    parser.expect('=');
    return { type: 'entry', key, value: parseExpression(parser), line };
  }
  const isNamed = parser.token.type === 'name' && parser.following.type === 'word' && parser.following.text === '=';
  if (!isNamed) return { type: 'item', value: parseExpression(parser) };
  const key = { type: 'constant', value: parser.expectName() } as const;
  parser.expect('=');
  return { type: 'entry', key, value: parseExpression(parser), line };
}
