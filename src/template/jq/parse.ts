import { TemplateError } from '../template-error.ts';
import { lexJq } from './lex.ts';
import type { JqToken } from './lex.ts';
import type { Definition, JqNode } from './node.ts';
import { parsePattern, parseText } from './parse-object.ts';
import { parseTerm } from './parse-term.ts';
import { accept, expect, isNext, peek, refuse, takeName } from './parser.ts';
import type { Parser, Rules } from './parser.ts';

const DEPTH_MAX = 150;
const ASSIGNMENTS = ['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='];
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='];

const rules: Rules = {
  pipe: parsePipe,
  alternative: parseAlternative,
  postfix: parsePostfix,
  suffixes: parseSuffixes,
  definition: parseDefinition,
  all: parseAll,
};

/** Reads a query. Throws a TemplateError that says where it is none. */
export function parseJq(text: string): JqNode {
  return parseAll(lexJq(text), 0);
}

/** Definitions alone, for the functions that are written in the language itself. */
export function parseDefinitions(text: string): Definition[] {
  const parser: Parser = { rules, tokens: lexJq(text), at: 0, depth: 0 };
  const definitions: Definition[] = [];
  while (isNext(parser, 'def')) definitions.push(parseDefinition(parser));
  return definitions;
}

function parseAll(tokens: readonly JqToken[], depth: number): JqNode {
  const parser: Parser = { rules, tokens, at: 0, depth };
  if (peek(parser).kind === 'end') throw new TemplateError('missing query (try ".")');
  const node = parsePipe(parser);
  if (peek(parser).kind !== 'end') refuse(parser);
  return node;
}

function parsePipe(parser: Parser): JqNode {
  parser.depth += 1;
  if (parser.depth > DEPTH_MAX) throw new TemplateError('the query nests too deeply');
  const node = parsePipeInner(parser);
  parser.depth -= 1;
  return node;
}

function parsePipeInner(parser: Parser): JqNode {
  if (isNext(parser, 'def')) {
    const definition = parseDefinition(parser);
    return { type: 'define', definition, body: parsePipe(parser) };
  }
  const left = parseComma(parser);
  if (left.type === 'label') {
    expect(parser, '|');
    return { type: 'label', name: left.name, body: parsePipe(parser) };
  }
  return accept(parser, '|') ? { type: 'pipe', left, right: parsePipe(parser) } : left;
}

function parseDefinition(parser: Parser): Definition {
  expect(parser, 'def');
  const name = takeName(parser);
  const parameters: string[] = [];
  if (accept(parser, '(')) {
    do {
      const token = peek(parser);
      if (token.kind === 'variable') parser.at += 1;
      parameters.push(token.kind === 'variable' ? token.text : takeName(parser));
    } while (accept(parser, ';'));
    expect(parser, ')');
  }
  expect(parser, ':');
  const body = parsePipe(parser);
  expect(parser, ';');
  return { name, parameters, body };
}

function parseComma(parser: Parser): JqNode {
  let left = parseAlternative(parser);
  while (accept(parser, ',')) left = { type: 'comma', left, right: parseAlternative(parser) };
  return left;
}

function parseAlternative(parser: Parser): JqNode {
  const left = parseAssignment(parser);
  return accept(parser, '//') ? { type: 'alternative', left, right: parseAlternative(parser) } : left;
}

function parseAssignment(parser: Parser): JqNode {
  const left = parseOr(parser);
  const operator = ASSIGNMENTS.find((mark) => accept(parser, mark));
  return operator === undefined ? left : { type: 'assign', operator, left, right: parseAlternative(parser) };
}

function parseOr(parser: Parser): JqNode {
  let left = parseAnd(parser);
  while (accept(parser, 'or')) left = { type: 'or', left, right: parseAnd(parser) };
  return left;
}

function parseAnd(parser: Parser): JqNode {
  let left = parseComparison(parser);
  while (accept(parser, 'and')) left = { type: 'and', left, right: parseComparison(parser) };
  return left;
}

function parseComparison(parser: Parser): JqNode {
  const left = parseOperators(parser, ['+', '-']);
  const operator = COMPARISONS.find((mark) => accept(parser, mark));
  if (operator === undefined) return left;
  const node: JqNode = { type: 'binary', operator, left, right: parseOperators(parser, ['+', '-']) };
  if (COMPARISONS.some((mark) => isNext(parser, mark))) refuse(parser);
  return node;
}

function parseOperators(parser: Parser, marks: readonly string[]): JqNode {
  const below = (): JqNode => (marks.includes('+') ? parseOperators(parser, ['*', '/', '%']) : parsePostfix(parser));
  let left = below();
  for (;;) {
    const operator = marks.find((mark) => accept(parser, mark));
    if (operator === undefined) return left;
    left = { type: 'binary', operator, left, right: below() };
  }
}

function parsePostfix(parser: Parser): JqNode {
  const node = parseSuffixes(parser);
  if (!accept(parser, 'as')) return node;
  const pattern = parsePattern(parser);
  expect(parser, '|');
  return { type: 'bind', source: node, pattern, body: parsePipe(parser) };
}

function parseSuffixes(parser: Parser): JqNode {
  let node = parseTerm(parser);
  for (;;) {
    const next = parseSuffix(parser, node);
    if (next === undefined) return node;
    node = next;
  }
}

function parseSuffix(parser: Parser, target: JqNode): JqNode | undefined {
  const token = peek(parser);
  if (token.kind === 'field') {
    parser.at += 1;
    return { type: 'index', target, key: { type: 'literal', value: token.text.slice(1) } };
  }
  if (isNext(parser, '.') && peek(parser, 1).kind === 'text') {
    parser.at += 1;
    return { type: 'index', target, key: parseText(parser, 'text') };
  }
  if (isNext(parser, '.') && isNext(parser, '[', 1)) parser.at += 1;
  if (accept(parser, '[')) return parseBrackets(parser, target);
  if (accept(parser, '?')) return { type: 'optional', target };
  return undefined;
}

function parseBrackets(parser: Parser, target: JqNode): JqNode {
  if (accept(parser, ']')) return { type: 'iterate', target };
  if (accept(parser, ':')) {
    const to = parsePipe(parser);
    expect(parser, ']');
    return { type: 'slice', target, from: undefined, to };
  }
  const key = parsePipe(parser);
  if (accept(parser, ':')) {
    const to = isNext(parser, ']') ? undefined : parsePipe(parser);
    expect(parser, ']');
    return { type: 'slice', target, from: key, to };
  }
  expect(parser, ']');
  return { type: 'index', target, key };
}
