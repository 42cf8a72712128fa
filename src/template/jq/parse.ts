import { TemplateError } from '../template-error.ts';
import { lexJq } from './lex.ts';
import type { JqToken } from './lex.ts';
import type { Definition, JqNode, Pattern } from './node.ts';

const DEPTH_MAX = 150;
const KEYWORDS = [
  'or',
  'and',
  'def',
  'as',
  'if',
  'then',
  'elif',
  'else',
  'end',
  'reduce',
  'foreach',
  'try',
  'catch',
  'label',
  'import',
  'include',
  '__loc__',
];
const ASSIGNMENTS = ['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='];
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='];
const IDENTITY: JqNode = { type: 'identity' };

interface Parser {
  readonly tokens: readonly JqToken[];
  at: number;
  depth: number;
}

/** Reads a query. Throws a TemplateError that says where it is none. */
export function parseJq(text: string): JqNode {
  return parseAll(lexJq(text));
}

/** Definitions alone, for the functions that are written in the language itself. */
export function parseDefinitions(text: string): Definition[] {
  const parser: Parser = { tokens: lexJq(text), at: 0, depth: 0 };
  const definitions: Definition[] = [];
  while (isNext(parser, 'def')) definitions.push(parseDefinition(parser));
  return definitions;
}

function parseAll(tokens: readonly JqToken[], depth = 0): JqNode {
  const parser: Parser = { tokens, at: 0, depth };
  if (peek(parser).kind === 'end') throw new TemplateError('missing query (try ".")');
  const node = parsePipe(parser);
  if (peek(parser).kind !== 'end') refuse(parser);
  return node;
}

function peek(parser: Parser, ahead = 0): JqToken {
  return parser.tokens[parser.at + ahead] ?? { kind: 'end', text: '' };
}

function isNext(parser: Parser, text: string, ahead = 0): boolean {
  const token = peek(parser, ahead);
  return (token.kind === 'mark' || token.kind === 'name') && token.text === text;
}

function accept(parser: Parser, text: string): boolean {
  if (!isNext(parser, text)) return false;
  parser.at += 1;
  return true;
}

function expect(parser: Parser, text: string): void {
  if (!accept(parser, text)) refuse(parser);
}

function refuse(parser: Parser): never {
  const token = peek(parser);
  throw new TemplateError(token.kind === 'end' ? 'unexpected EOF' : `unexpected token ${JSON.stringify(token.text)}`);
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

function takeName(parser: Parser): string {
  const token = peek(parser);
  if (token.kind !== 'name') refuse(parser);
  parser.at += 1;
  return token.text;
}

function takeVariable(parser: Parser): string {
  const token = peek(parser);
  if (token.kind !== 'variable') refuse(parser);
  parser.at += 1;
  return token.text;
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

function parseTerm(parser: Parser): JqNode {
  const token = peek(parser);
  switch (token.kind) {
    case 'field':
      parser.at += 1;
      return { type: 'index', target: IDENTITY, key: { type: 'literal', value: token.text.slice(1) } };
    case 'variable':
      parser.at += 1;
      return { type: 'variable', name: token.text };
    case 'number':
      parser.at += 1;
      return { type: 'literal', value: Number(token.text) };
    case 'text':
      return parseText(parser, 'text');
    case 'format':
      parser.at += 1;
      return peek(parser).kind === 'text' ? parseText(parser, token.text.slice(1)) : { type: 'format', name: token.text.slice(1) };
    case 'name':
      return parseNamed(parser, token.text);
    default:
      return parseMark(parser, token.text);
  }
}

function parseMark(parser: Parser, mark: string): JqNode {
  if (mark === '.' && peek(parser, 1).kind === 'text') {
    parser.at += 1;
    return { type: 'index', target: IDENTITY, key: parseText(parser, 'text') };
  }
  if (accept(parser, '.')) return IDENTITY;
  if (accept(parser, '..')) return { type: 'recurse' };
  if (accept(parser, '-')) return { type: 'negate', target: parsePostfix(parser) };
  if (accept(parser, '(')) {
    const node = parsePipe(parser);
    expect(parser, ')');
    return node.type === 'label' ? { type: 'pipe', left: IDENTITY, right: node } : node;
  }
  if (accept(parser, '[')) {
    if (accept(parser, ']')) return { type: 'array', body: undefined };
    const body = parsePipe(parser);
    expect(parser, ']');
    return { type: 'array', body };
  }
  if (accept(parser, '{')) return parseObject(parser);
  return refuse(parser);
}

function parseText(parser: Parser, format: string): JqNode {
  const { parts = [] } = peek(parser);
  parser.at += 1;
  const nodes = parts.map((part) => (typeof part === 'string' ? part : parseAll(part, parser.depth + 1)));
  const [only = ''] = nodes;
  return nodes.length === 1 && typeof only === 'string' ? { type: 'literal', value: only } : { type: 'text', parts: nodes, format };
}

function parseNamed(parser: Parser, name: string): JqNode {
  switch (name) {
    case 'if':
      parser.at += 1;
      return parseIf(parser);
    case 'try': {
      parser.at += 1;
      const body = parsePostfix(parser);
      return { type: 'try', body, handler: accept(parser, 'catch') ? parsePostfix(parser) : undefined };
    }
    case 'reduce':
    case 'foreach':
      parser.at += 1;
      return parseFold(parser, name);
    case 'label':
      parser.at += 1;
      return { type: 'label', name: takeVariable(parser), body: IDENTITY };
    case 'def': {
      const definition = parseDefinition(parser);
      return { type: 'define', definition, body: parsePipe(parser) };
    }
    case 'break':
      if (peek(parser, 1).kind === 'variable') {
        parser.at += 1;
        return { type: 'break', name: takeVariable(parser) };
      }
      break;
    default:
  }
  if (KEYWORDS.includes(name)) return refuse(parser);
  parser.at += 1;
  const args: JqNode[] = [];
  if (accept(parser, '(')) {
    do args.push(parsePipe(parser));
    while (accept(parser, ';'));
    expect(parser, ')');
  }
  if (args.length === 0 && (name === 'null' || name === 'true' || name === 'false'))
    return { type: 'literal', value: name === 'null' ? null : name === 'true' };
  return { type: 'call', name, args };
}

function parseIf(parser: Parser): JqNode {
  const condition = parsePipe(parser);
  expect(parser, 'then');
  const body = parsePipe(parser);
  if (accept(parser, 'elif')) return { type: 'if', condition, body, otherwise: parseIf(parser) };
  const otherwise = accept(parser, 'else') ? parsePipe(parser) : IDENTITY;
  expect(parser, 'end');
  return { type: 'if', condition, body, otherwise };
}

function parseFold(parser: Parser, type: 'reduce' | 'foreach'): JqNode {
  const source = parseSuffixes(parser);
  expect(parser, 'as');
  const pattern = parsePattern(parser);
  expect(parser, '(');
  const start = parsePipe(parser);
  expect(parser, ';');
  const update = parsePipe(parser);
  const extract = type === 'foreach' && accept(parser, ';') ? parsePipe(parser) : IDENTITY;
  expect(parser, ')');
  return type === 'reduce' ? { type, source, pattern, start, update } : { type, source, pattern, start, update, extract };
}

function parsePattern(parser: Parser): Pattern {
  if (peek(parser).kind === 'variable') return { type: 'name', name: takeVariable(parser) };
  if (accept(parser, '[')) {
    const items: Pattern[] = [];
    do items.push(parsePattern(parser));
    while (accept(parser, ','));
    expect(parser, ']');
    return { type: 'list', items };
  }
  expect(parser, '{');
  const fields: Extract<Pattern, { type: 'fields' }>['fields'][number][] = [];
  do {
    const token = peek(parser);
    const name = token.kind === 'variable' ? takeVariable(parser) : undefined;
    const key: JqNode = name === undefined ? parseObjectKey(parser) : { type: 'literal', value: name.slice(1) };
    fields.push({ key, name, pattern: accept(parser, ':') ? parsePattern(parser) : undefined });
  } while (accept(parser, ','));
  expect(parser, '}');
  return { type: 'fields', fields };
}

function parseObjectKey(parser: Parser): JqNode {
  const token = peek(parser);
  if (token.kind === 'text') return parseText(parser, 'text');
  if (token.kind === 'format' && peek(parser, 1).kind === 'text') {
    parser.at += 1;
    return parseText(parser, token.text.slice(1));
  }
  if (accept(parser, '(')) {
    const key = parsePipe(parser);
    expect(parser, ')');
    return key;
  }
  if (token.kind !== 'name') refuse(parser);
  parser.at += 1;
  return { type: 'literal', value: token.text };
}

function parseObject(parser: Parser): JqNode {
  const entries: [JqNode, JqNode][] = [];
  while (!accept(parser, '}')) {
    entries.push(parseEntry(parser));
    if (!isNext(parser, '}')) expect(parser, ',');
  }
  return { type: 'object', entries };
}

function parseEntry(parser: Parser): [JqNode, JqNode] {
  const token = peek(parser);
  if (token.kind === 'variable') {
    parser.at += 1;
    const key: JqNode = { type: 'literal', value: token.text.slice(1) };
    return [key, accept(parser, ':') ? parseEntryValue(parser) : { type: 'variable', name: token.text }];
  }
  const key = parseObjectKey(parser);
  return [key, accept(parser, ':') ? parseEntryValue(parser) : { type: 'index', target: IDENTITY, key }];
}

/** Commas and pipes need brackets here, but for pipes between terms. */
function parseEntryValue(parser: Parser): JqNode {
  const left = parseAlternative(parser);
  return accept(parser, '|') ? { type: 'pipe', left, right: parseEntryValue(parser) } : left;
}
