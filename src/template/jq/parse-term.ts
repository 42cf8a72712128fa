import type { JqNode } from './node.ts';
import { parseObject, parsePattern, parseText } from './parse-object.ts';
import { accept, expect, IDENTITY, peek, refuse, takeVariable } from './parser.ts';
import type { Parser } from './parser.ts';

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

export function parseTerm(parser: Parser): JqNode {
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
  if (accept(parser, '-')) return { type: 'negate', target: parser.rules.postfix(parser) };
  if (accept(parser, '(')) {
    const node = parser.rules.pipe(parser);
    expect(parser, ')');
    return node.type === 'label' ? { type: 'pipe', left: IDENTITY, right: node } : node;
  }
  if (accept(parser, '[')) {
    if (accept(parser, ']')) return { type: 'array', body: undefined };
    const body = parser.rules.pipe(parser);
    expect(parser, ']');
    return { type: 'array', body };
  }
  if (accept(parser, '{')) return parseObject(parser);
  return refuse(parser);
}

function parseNamed(parser: Parser, name: string): JqNode {
  switch (name) {
    case 'if':
      parser.at += 1;
      return parseIf(parser);
    case 'try': {
      parser.at += 1;
      const body = parser.rules.postfix(parser);
      return { type: 'try', body, handler: accept(parser, 'catch') ? parser.rules.postfix(parser) : undefined };
    }
    case 'reduce':
    case 'foreach':
      parser.at += 1;
      return parseFold(parser, name);
    case 'label':
      parser.at += 1;
      return { type: 'label', name: takeVariable(parser), body: IDENTITY };
    case 'def': {
      const definition = parser.rules.definition(parser);
      return { type: 'define', definition, body: parser.rules.pipe(parser) };
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
    do args.push(parser.rules.pipe(parser));
    while (accept(parser, ';'));
    expect(parser, ')');
  }
  if (args.length === 0 && (name === 'null' || name === 'true' || name === 'false'))
    return { type: 'literal', value: name === 'null' ? null : name === 'true' };
  return { type: 'call', name, args };
}

function parseIf(parser: Parser): JqNode {
  const condition = parser.rules.pipe(parser);
  expect(parser, 'then');
  const body = parser.rules.pipe(parser);
  if (accept(parser, 'elif')) return { type: 'if', condition, body, otherwise: parseIf(parser) };
  const otherwise = accept(parser, 'else') ? parser.rules.pipe(parser) : IDENTITY;
  expect(parser, 'end');
  return { type: 'if', condition, body, otherwise };
}

function parseFold(parser: Parser, type: 'reduce' | 'foreach'): JqNode {
  const source = parser.rules.suffixes(parser);
  expect(parser, 'as');
  const pattern = parsePattern(parser);
  expect(parser, '(');
  const start = parser.rules.pipe(parser);
  expect(parser, ';');
  const update = parser.rules.pipe(parser);
  const extract = type === 'foreach' && accept(parser, ';') ? parser.rules.pipe(parser) : IDENTITY;
  expect(parser, ')');
  return type === 'reduce' ? { type, source, pattern, start, update } : { type, source, pattern, start, update, extract };
}
