import { unquote } from '../go/quote.ts';
import { createLexer } from './lex.ts';
import { describeNode } from './node.ts';
import type { BranchNode, ListNode, Node, PipeNode } from './node.ts';
import { parsePipeline } from './parse-pipeline.ts';
import { nested, next, nextNonSpace, peek, peekNonSpace, refuse, unexpected } from './parser.ts';
import type { Parser, Tree } from './parser.ts';
import type { Token, TokenKind } from './token.ts';

/** The templates of a text by their names; throws a TemplateError with Go's words. */
export function parseTemplate(name: string, text: string, hasFunction: (name: string) => boolean): Map<string, Tree> {
  const parser: Parser = {
    name,
    trees: new Map(),
    hasFunction,
    tokens: [],
    lex: createLexer(text),
    at: 0,
    variables: ['$'],
    rangeDepth: 0,
    depth: 0,
    actionLine: 0,
  };
  const root: ListNode = { type: 'list', pos: peek(parser).pos, nodes: [] };
  while (peek(parser).kind !== 'EOF') {
    if (parseDefinition(parser)) continue;
    const node = parseNode(parser);
    if (node.type === 'end' || node.type === 'else') refuse(parser, `unexpected ${describeNode(node)}`);
    root.nodes.push(node);
  }
  addTree(parser, { name, root });
  return parser.trees;
}

function expect(parser: Parser, kind: TokenKind, context: string): Token {
  const token = nextNonSpace(parser);
  return token.kind === kind ? token : unexpected(parser, token, context);
}

function parseDefinition(parser: Parser): boolean {
  const start = parser.at;
  if (next(parser).kind !== 'leftDelim' || nextNonSpace(parser).kind !== 'define') {
    parser.at = start;
    return false;
  }
  const name = parseName(parser, nextNonSpace(parser), 'define clause');
  expect(parser, 'rightDelim', 'define clause');
  addTree(parser, { name, root: parseBody(parser, 'define clause') });
  return true;
}

/** The contents of `define` or `block`, with variables of their own. */
function parseBody(parser: Parser, context: string): ListNode {
  const { variables, rangeDepth } = parser;
  parser.variables = ['$'];
  parser.rangeDepth = 0;
  const { list, end } = parseList(parser);
  if (end.type !== 'end') refuse(parser, `unexpected ${describeNode(end)} in ${context}`);
  Object.assign(parser, { variables, rangeDepth });
  return list;
}

function addTree(parser: Parser, tree: Tree): void {
  const known = parser.trees.get(tree.name);
  if (known === undefined || isEmpty(known.root)) parser.trees.set(tree.name, tree);
  else if (!isEmpty(tree.root)) refuse(parser, `template: multiple definition of template "${tree.name}"`);
}

function isEmpty(node: Node): boolean {
  if (node.type === 'list') return node.nodes.every(isEmpty);
  return node.type === 'text' && /^\s*$/.test(node.text);
}

function parseName(parser: Parser, token: Token, context: string): string {
  if (token.kind !== 'string' && token.kind !== 'rawString') unexpected(parser, token, context);
  return unquote(token.text) ?? refuse(parser, 'invalid syntax');
}

function parseList(parser: Parser): { list: ListNode; end: Node } {
  const list: ListNode = { type: 'list', pos: peekNonSpace(parser).pos, nodes: [] };
  while (peekNonSpace(parser).kind !== 'EOF') {
    const node = nested(parser, () => parseNode(parser));
    if (node.type === 'end' || node.type === 'else') return { list, end: node };
    list.nodes.push(node);
  }
  return refuse(parser, 'unexpected EOF');
}

function parseNode(parser: Parser): Node {
  const token = nextNonSpace(parser);
  if (token.kind === 'text') return { type: 'text', pos: token.pos, text: token.text };
  if (token.kind !== 'leftDelim') return unexpected(parser, token, 'input');
  parser.actionLine = token.line;
  const node = parseAction(parser);
  parser.actionLine = 0;
  return node;
}

function parseAction(parser: Parser): Node {
  const token = nextNonSpace(parser);
  switch (token.kind) {
    case 'block':
      return parseBlock(parser);
    case 'break':
    case 'continue': {
      const after = nextNonSpace(parser);
      if (after.kind !== 'rightDelim') unexpected(parser, after, `{{${token.kind}}}`);
      if (parser.rangeDepth === 0) refuse(parser, `{{${token.kind}}} outside {{range}}`);
      return { type: token.kind, pos: token.pos };
    }
    case 'else':
      return parseElse(parser);
    case 'end':
      return { type: 'end', pos: expect(parser, 'rightDelim', 'end').pos };
    case 'if':
    case 'range':
    case 'with':
      return parseBranch(parser, token.kind);
    case 'template':
      return parseTemplateCall(parser);
    default: {
      parser.at -= 1;
      return { type: 'action', pos: peek(parser).pos, pipe: parsePipeline(parser, 'command', 'rightDelim') };
    }
  }
}

function parseElse(parser: Parser): Node {
  const after = peekNonSpace(parser);
  if (after.kind === 'if' || after.kind === 'with') return { type: 'else', pos: after.pos };
  return { type: 'else', pos: expect(parser, 'rightDelim', 'else').pos };
}

function parseBranch(parser: Parser, type: BranchNode['type']): Node {
  const known = parser.variables.length;
  const pipe = parsePipeline(parser, type, 'rightDelim');
  if (type === 'range') parser.rangeDepth += 1;
  const { list, end } = parseList(parser);
  if (type === 'range') parser.rangeDepth -= 1;
  const elseList = end.type === 'else' ? parseOtherwise(parser, type, end.pos) : undefined;
  parser.variables.length = known;
  return { type, pos: pipe.pos, pipe, list, elseList };
}

function parseOtherwise(parser: Parser, type: BranchNode['type'], pos: number): ListNode {
  if (type !== 'range' && peek(parser).kind === type) {
    next(parser);
    return { type: 'list', pos, nodes: [nested(parser, () => parseBranch(parser, type))] };
  }
  const { list, end } = parseList(parser);
  if (end.type !== 'end') refuse(parser, `expected end; found ${describeNode(end)}`);
  return list;
}

function parseBlock(parser: Parser): Node {
  const token = nextNonSpace(parser);
  const name = parseName(parser, token, 'block clause');
  const pipe = parsePipeline(parser, 'block clause', 'rightDelim');
  addTree(parser, { name, root: parseBody(parser, 'block clause') });
  return { type: 'template', pos: token.pos, name, pipe };
}

function parseTemplateCall(parser: Parser): Node {
  const token = nextNonSpace(parser);
  const name = parseName(parser, token, 'template clause');
  let pipe: PipeNode | undefined;
  if (nextNonSpace(parser).kind !== 'rightDelim') {
    parser.at -= 1;
    pipe = parsePipeline(parser, 'template clause', 'rightDelim');
  }
  return { type: 'template', pos: token.pos, name, pipe };
}
