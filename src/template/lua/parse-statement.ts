import type { Block, Expression, FunctionNode, Statement, Target } from './node.ts';
import { parseExpression, parseExpressions, parseSuffixed } from './parse-expression.ts';
import type { Parser } from './parser.ts';

const BLOCK_ENDS: readonly string[] = ['end', 'else', 'elseif', 'until'];

/** Statements up to a word that ends them, with names of their own. */
export function parseBlock(parser: Parser): Block {
  parser.scope.openBlock();
  const statements = parseStatements(parser);
  parser.scope.closeBlock();
  return statements;
}

function parseStatements(parser: Parser): Block {
  return parser.nested(() => {
    const statements: Statement[] = [];
    while (!isAtEnd(parser)) {
      if (parser.accept(';')) continue;
      const statement = parseStatement(parser);
      statements.push(statement);
      if (statement.type !== 'return') continue;
      parser.accept(';');
      if (!isAtEnd(parser)) throw parser.fail();
    }
    return statements;
  });
}

function isAtEnd(parser: Parser): boolean {
  return parser.token.type === 'end' || parser.sees(...BLOCK_ENDS);
}

function parseStatement(parser: Parser): Statement {
  if (parser.token.type !== 'word') return parseCallOrAssignment(parser);
  switch (parser.token.text) {
    case 'local':
      return parseLocal(parser);
    case 'if':
      return parseIf(parser);
    case 'for':
      return parseFor(parser);
    case 'while':
      return parseWhile(parser);
    case 'repeat':
      return parseRepeat(parser);
    case 'function':
      return parseFunction(parser);
    case 'do':
      parser.advance();
      return { type: 'do', body: parseBody(parser) };
    case 'return':
      return parseReturn(parser);
    case 'break':
      parser.advance();
      return { type: 'break' };
    case 'goto':
      parser.advance();
      return { type: 'goto', label: parser.expectName() };
    case '::':
      return parseLabel(parser);
    default:
      return parseCallOrAssignment(parser);
  }
}

/** A block and the `end` after it. */
function parseBody(parser: Parser): Block {
  const body = parseBlock(parser);
  parser.expect('end');
  return body;
}

function parseLabel(parser: Parser): Statement {
  parser.advance();
  const name = parser.expectName();
  parser.expect('::');
  return { type: 'label', name };
}

function parseReturn(parser: Parser): Statement {
  parser.advance();
  const isBare = isAtEnd(parser) || parser.sees(';');
  return { type: 'return', values: isBare ? [] : parseExpressions(parser) };
}

function parseLocal(parser: Parser): Statement {
  parser.advance();
  if (parser.accept('function')) {
    // The function may call itself by its name.
    const variable = parser.scope.declare(parser.expectName());
    return { type: 'local function', variable, value: parser.functionBody(false) };
  }
  const names = parseNames(parser);
  const values = parser.accept('=') ? parseExpressions(parser) : [];
  return { type: 'local', variables: names.map((name) => parser.scope.declare(name)), values };
}

function parseNames(parser: Parser): string[] {
  const names = [parser.expectName()];
  while (parser.accept(',')) names.push(parser.expectName());
  return names;
}

function parseIf(parser: Parser): Statement {
  const branches: { condition: Expression; body: Block }[] = [];
  do {
    parser.advance();
    const condition = parseExpression(parser);
    parser.expect('then');
    branches.push({ condition, body: parseBlock(parser) });
  } while (parser.sees('elseif'));
  const otherwise = parser.accept('else') ? parseBlock(parser) : [];
  parser.expect('end');
  return { type: 'if', branches, otherwise };
}

function parseWhile(parser: Parser): Statement {
  parser.advance();
  const condition = parseExpression(parser);
  parser.expect('do');
  return { type: 'while', condition, body: parseBody(parser) };
}

/** The condition sees the names of the block. */
function parseRepeat(parser: Parser): Statement {
  parser.advance();
  parser.scope.openBlock();
  const body = parseStatements(parser);
  parser.expect('until');
  const condition = parseExpression(parser);
  parser.scope.closeBlock();
  return { type: 'repeat', condition, body };
}

function parseFor(parser: Parser): Statement {
  const { line } = parser.advance();
  const names = parseNames(parser);
  const [name] = names;
  if (name !== undefined && names.length === 1 && parser.accept('=')) {
    const [from, to, step, ...others] = parseExpressions(parser);
    if (from === undefined || to === undefined || others.length > 0) throw parser.fail();
    return withLoopNames(parser, [name], ([variable], body) => {
      if (variable === undefined) throw parser.fail();
      return { type: 'count', variable, from, to, step, body, line };
    });
  }
  parser.expect('in');
  const values = parseExpressions(parser);
  return withLoopNames(parser, names, (variables, body) => ({ type: 'each', variables, values, body, line }));
}

function withLoopNames(
  parser: Parser,
  names: readonly string[],
  make: (variables: readonly ReturnType<Parser['scope']['declare']>[], body: Block) => Statement,
): Statement {
  parser.expect('do');
  parser.scope.openBlock();
  const variables = names.map((name) => parser.scope.declare(name));
  const body = parseBody(parser);
  parser.scope.closeBlock();
  return make(variables, body);
}

/** `function a.b:c() … end` is an assignment. */
function parseFunction(parser: Parser): Statement {
  const { line } = parser.advance();
  let target: Target = parser.scope.resolve(parser.expectName(), line);
  while (parser.accept('.'))
    target = { type: 'index', target, key: { type: 'constant', value: parser.expectName() }, line: parser.token.line };
  const isMethod = parser.accept(':');
  if (isMethod) target = { type: 'index', target, key: { type: 'constant', value: parser.expectName() }, line: parser.token.line };
  const value: FunctionNode = parser.functionBody(isMethod);
  return { type: 'assign', targets: [target], values: [value] };
}

function parseCallOrAssignment(parser: Parser): Statement {
  const first = parseSuffixed(parser);
  if (first.type === 'call' && !parser.sees('=', ',')) return { type: 'call', call: first };
  const targets = [requireTarget(parser, first)];
  while (parser.accept(',')) targets.push(requireTarget(parser, parseSuffixed(parser)));
  parser.expect('=');
  return { type: 'assign', targets, values: parseExpressions(parser) };
}

function requireTarget(parser: Parser, value: Expression): Target {
  if (value.type === 'index' || value.type === 'local' || value.type === 'captured' || value.type === 'global') return value;
  throw parser.fail();
}
