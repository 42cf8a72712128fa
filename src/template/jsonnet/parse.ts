import type { Source } from './jsonnet-error.ts';
import type { Branch, Node } from './node.ts';
import { parseAssertion, parseBindings, parseParameters } from './parse-bindings.ts';
import { parseClauses, parseObject } from './parse-object.ts';
import { KEYWORDS, TokenReader } from './token-reader.ts';

/** What binds more tightly has a higher number. */
const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  [['||'], ['&&'], ['|'], ['^'], ['&'], ['==', '!='], ['<', '>', '<=', '>=', 'in'], ['<<', '>>'], ['+', '-'], ['*', '/', '%']].flatMap(
    (operators, level) => operators.map((operator) => [operator, level + 1] as const),
  ),
);
const UNARY: ReadonlySet<string> = new Set(['!', '~', '+', '-']);
const OPENERS: ReadonlySet<string> = new Set(['[', '(', '{', '.']);
const IMPORTS: ReadonlyMap<string, 'code' | 'text' | 'bytes'> = new Map([
  ['import', 'code'],
  ['importstr', 'text'],
  ['importbin', 'bytes'],
]);

/** Reads a whole program. */
export function parse(source: Source): Node {
  const reader = new TokenReader(source, (each) => parseBinary(each, 0));
  const node = reader.expression();
  if (reader.peek().kind !== 'end') throw reader.fail(`Did not expect: ${JSON.stringify(reader.peek().text)}`);
  return node;
}

function parseBinary(reader: TokenReader, lowest: number): Node {
  let left = parseOperand(reader);
  for (;;) {
    const { kind, text: operator, offset } = reader.peek();
    const isOperator = kind === 'operator' || (kind === 'word' && operator === 'in');
    // A colon is not an operator of an expression: it belongs to whoever asked for the expression.
    if (!isOperator || operator.startsWith(':') || operator === '=') return left;
    const level = PRECEDENCE.get(operator);
    if (level === undefined) throw reader.fail(`Not a binary operator: ${operator}`);
    if (level <= lowest) return left;
    reader.take();
    if (operator === 'in' && reader.is('super')) {
      reader.take();
      left = { kind: 'inSuper', name: left, offset };
    } else left = { kind: 'binary', operator, left, right: parseBinary(reader, level), offset };
  }
}

function parseOperand(reader: TokenReader): Node {
  const { kind, text, offset } = reader.peek();
  if (kind === 'word') {
    const form = parseForm(reader, text, offset);
    if (form !== undefined) return form;
  }
  if (kind === 'operator') {
    if (!UNARY.has(text)) throw reader.fail(`Not a unary operator: ${text}`);
    reader.take();
    return { kind: 'unary', operator: text, operand: reader.nest(() => parseOperand(reader)), offset };
  }
  return parsePostfix(reader, parseTerminal(reader));
}

/** What begins with a word and extends as far as it can. */
function parseForm(reader: TokenReader, word: string, offset: number): Node | undefined {
  switch (word) {
    case 'local': {
      reader.take();
      const bindings = parseBindings(reader);
      reader.expect(';');
      return { kind: 'local', bindings, body: reader.expression(), offset };
    }
    case 'if':
      return parseIf(reader, offset);
    case 'function': {
      reader.take();
      reader.expect('(');
      return { kind: 'function', parameters: parseParameters(reader), body: reader.expression(), offset };
    }
    case 'error':
      reader.take();
      return { kind: 'error', message: reader.expression(), offset };
    case 'assert': {
      const assertion = parseAssertion(reader);
      reader.expect(';');
      return { kind: 'assert', assertion, body: reader.expression(), offset };
    }
    default: {
      const form = IMPORTS.get(word);
      return form === undefined ? undefined : parseImport(reader, form);
    }
  }
}

/** A chain of any length is one node, so that its length does not become depth. */
function parseIf(reader: TokenReader, offset: number): Node {
  const branches: Branch[] = [];
  let hasElse = false;
  do {
    const { offset: at } = reader.expect('if');
    const condition = reader.expression();
    reader.expect('then');
    branches.push({ condition, whenTrue: reader.expression(), offset: at });
    hasElse = reader.takeIf('else');
  } while (hasElse && reader.is('if'));
  return { kind: 'if', branches, otherwise: hasElse ? reader.expression() : undefined, offset };
}

function parseImport(reader: TokenReader, form: 'code' | 'text' | 'bytes'): Node {
  const { offset } = reader.take();
  const { kind } = reader.peek();
  const path = reader.expression();
  if (kind === 'block') throw reader.fail('Block string literals not allowed in imports', path.offset);
  if (kind !== 'text' || path.kind !== 'literal' || typeof path.value !== 'string')
    throw reader.fail('Computed imports are not allowed', path.offset);
  return { kind: 'import', form, path: path.value, offset };
}

function parseTerminal(reader: TokenReader): Node {
  const { kind, text, offset } = reader.take();
  if (kind === 'number') return { kind: 'literal', value: Number(text), offset };
  if (kind === 'text' || kind === 'block') return { kind: 'literal', value: text, offset };
  if (kind === 'word') return parseWord(reader, text, offset);
  if (kind === 'sign' && text === '{') return parseObject(reader, offset);
  if (kind === 'sign' && text === '[') return parseArray(reader, offset);
  if (kind === 'sign' && text === '(') {
    const node = reader.expression();
    reader.expect(')');
    return node;
  }
  if (kind === 'end') throw reader.fail('Unexpected end of file', offset);
  throw reader.fail(`Unexpected: ${JSON.stringify(text)}`, offset);
}

function parseWord(reader: TokenReader, word: string, offset: number): Node {
  if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true', offset };
  if (word === 'null') return { kind: 'literal', value: null, offset };
  if (word === 'self') return { kind: 'self', offset };
  if (word === 'super') {
    if (reader.takeIf('.')) return { kind: 'super', name: { kind: 'literal', value: reader.name(), offset }, offset };
    if (!reader.takeIf('[')) throw reader.fail('Expected . or [ after super', offset);
    const name = reader.expression();
    reader.expect(']');
    return { kind: 'super', name, offset };
  }
  if (word !== '$' && KEYWORDS.has(word)) throw reader.fail(`Unexpected: ${word}`, offset);
  return { kind: 'variable', name: word, offset };
}

function parseArray(reader: TokenReader, offset: number): Node {
  const items: Node[] = [];
  while (!reader.is(']')) {
    items.push(reader.expression());
    const isMore = reader.takeIf(',');
    const [item] = items;
    if (items.length === 1 && item !== undefined && reader.is('for')) {
      const clauses = parseClauses(reader);
      reader.expect(']');
      return { kind: 'arrayComprehension', item, clauses, offset };
    }
    if (!isMore && !reader.is(']')) throw reader.fail('Expected a comma before next array element');
  }
  reader.expect(']');
  return { kind: 'array', items, offset };
}

/** What follows a value and belongs to it: `.name`, `[index]`, `(arguments)`, `{ more }`. */
function parsePostfix(reader: TokenReader, first: Node): Node {
  let target = first;
  for (;;) {
    const { kind, text, offset } = reader.peek();
    if (kind !== 'sign' || !OPENERS.has(text)) return target;
    reader.take();
    if (text === '.') target = { kind: 'index', target, name: { kind: 'literal', value: reader.name(), offset }, offset };
    else if (text === '[') target = parseIndex(reader, target, offset);
    else if (text === '(') target = parseCall(reader, target, offset);
    else {
      const right = parseObject(reader, offset);
      target = { kind: 'binary', operator: '+', left: target, right, offset };
    }
  }
}

function parseIndex(reader: TokenReader, target: Node, offset: number): Node {
  const bounds: (Node | undefined)[] = [undefined, undefined, undefined];
  let part = 0;
  let isSlice = false;
  while (!reader.is(']')) {
    if (reader.is(':') || reader.is('::')) {
      part += reader.take().text.length;
      isSlice = true;
      if (part > 2) throw reader.fail('Invalid slice: too many colons');
    } else if (bounds[part] === undefined) bounds[part] = reader.expression();
    else throw reader.unexpected(']');
  }
  reader.expect(']');
  const [name] = bounds;
  if (isSlice) return { kind: 'slice', target, bounds, offset };
  if (name === undefined) throw reader.fail('[] requires an index', offset);
  return { kind: 'index', target, name, offset };
}

function parseCall(reader: TokenReader, target: Node, offset: number): Node {
  const positional: Node[] = [];
  const named: { name: string; value: Node }[] = [];
  while (!reader.is(')')) {
    if (reader.peek().kind === 'word' && reader.is('=', 1)) {
      const name = reader.name();
      reader.take();
      named.push({ name, value: reader.expression() });
    } else if (named.length > 0) throw reader.fail('Positional argument after a named argument is not allowed');
    else positional.push(reader.expression());
    if (!reader.takeIf(',')) break;
  }
  reader.expect(')');
  return { kind: 'call', target, positional, named, isStrict: reader.takeIf('tailstrict'), offset };
}
