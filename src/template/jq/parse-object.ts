import type { JqNode, Pattern } from './node.ts';
import { accept, expect, IDENTITY, isNext, peek, refuse, takeVariable } from './parser.ts';
import type { Parser } from './parser.ts';

export function parseText(parser: Parser, format: string): JqNode {
  const { parts = [] } = peek(parser);
  parser.at += 1;
  const nodes = parts.map((part) => (typeof part === 'string' ? part : parser.rules.all(part, parser.depth + 1)));
  const [only = ''] = nodes;
  return nodes.length === 1 && typeof only === 'string' ? { type: 'literal', value: only } : { type: 'text', parts: nodes, format };
}

export function parsePattern(parser: Parser): Pattern {
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
    const key = parser.rules.pipe(parser);
    expect(parser, ')');
    return key;
  }
  if (token.kind !== 'name') refuse(parser);
  parser.at += 1;
  return { type: 'literal', value: token.text };
}

export function parseObject(parser: Parser): JqNode {
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
  const left = parser.rules.alternative(parser);
  return accept(parser, '|') ? { type: 'pipe', left, right: parseEntryValue(parser) } : left;
}
