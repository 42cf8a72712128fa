import { quote, unquote } from '../go/quote.ts';
import { TemplateError } from '../template-error.ts';
import { describeNode } from './node.ts';
import type { CommandNode, NumberNode, Operand, PipeNode, VariableNode } from './node.ts';
import { nested, next, nextNonSpace, peek, peekNonSpace, refuse, unexpected } from './parser.ts';
import type { Parser } from './parser.ts';
import { parseCharacter, parseNumber } from './parse-number.ts';
import type { Token, TokenKind } from './token.ts';

const OPERANDS: readonly TokenKind[] = [
  'bool',
  'charConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
];

/** A pipeline up to the token that ends it. */
export function parsePipeline(parser: Parser, context: string, end: TokenKind): PipeNode {
  const pipe: PipeNode = { type: 'pipe', pos: peekNonSpace(parser).pos, isAssign: false, declarations: [], commands: [] };
  parseDeclarations(parser, pipe, context);
  for (;;) {
    const token = nextNonSpace(parser);
    if (token.kind === end) break;
    if (!OPERANDS.includes(token.kind)) unexpected(parser, token, context);
    parser.at -= 1;
    pipe.commands.push(parseCommand(parser));
  }
  checkPipeline(parser, pipe, context);
  return pipe;
}

function parseDeclarations(parser: Parser, pipe: PipeNode, context: string): void {
  const start = parser.at;
  const token = nextNonSpace(parser);
  if (token.kind !== 'variable') {
    parser.at = start;
    return;
  }
  const after = peekNonSpace(parser);
  const declare = (): void => {
    nextNonSpace(parser);
    pipe.declarations.push(variable(token.text, token.pos));
    parser.variables.push(token.text);
  };
  if (after.kind === 'assign' || after.kind === 'declare') {
    pipe.isAssign = after.kind === 'assign';
    declare();
  } else if (after.kind === 'char' && after.text === ',') {
    declare();
    if (context !== 'range' || pipe.declarations.length >= 2) refuse(parser, `too many declarations in ${context}`);
    if (!['variable', 'rightDelim', 'rightParen'].includes(peekNonSpace(parser).kind))
      refuse(parser, 'range can only initialize variables');
    parseDeclarations(parser, pipe, context);
  } else {
    parser.at = start;
  }
}

function checkPipeline(parser: Parser, pipe: PipeNode, context: string): void {
  if (pipe.commands.length === 0) refuse(parser, `missing value for ${context}`);
  for (const [index, command] of pipe.commands.entries()) {
    const first = command.args[0]?.type ?? '';
    if (index > 0 && ['bool', 'dot', 'nil', 'number', 'string'].includes(first))
      refuse(parser, `non executable command in pipeline stage ${index + 1}`);
  }
}

function parseCommand(parser: Parser): CommandNode {
  const command: CommandNode = { type: 'command', pos: peekNonSpace(parser).pos, args: [] };
  for (;;) {
    peekNonSpace(parser);
    const operand = parseOperand(parser);
    if (operand !== undefined) command.args.push(operand);
    const token = next(parser);
    if (token.kind === 'space') continue;
    if (token.kind === 'rightDelim' || token.kind === 'rightParen') parser.at -= 1;
    else if (token.kind !== 'pipe') unexpected(parser, token, 'operand');
    break;
  }
  if (command.args.length === 0) refuse(parser, 'empty command');
  return command;
}

function parseOperand(parser: Parser): Operand | undefined {
  const node = parseTerm(parser);
  if (node === undefined || peek(parser).kind !== 'field') return node;
  const { pos } = peek(parser);
  const names: string[] = [];
  while (peek(parser).kind === 'field') names.push(next(parser).text.slice(1));
  switch (node.type) {
    case 'field':
    case 'variable':
      return { ...node, pos, names: [...node.names, ...names] };
    case 'bool':
    case 'string':
    case 'number':
    case 'nil':
    case 'dot':
      return refuse(parser, `unexpected . after term ${quote(describeNode(node))}`);
    default:
      return { type: 'chain', pos, node, names };
  }
}

function parseTerm(parser: Parser): Operand | undefined {
  const token = nextNonSpace(parser);
  const { pos, text } = token;
  switch (token.kind) {
    case 'identifier':
      if (!parser.hasFunction(text)) refuse(parser, `function ${quote(text)} not defined`);
      return { type: 'identifier', pos, name: text };
    case 'dot':
      return { type: 'dot', pos };
    case 'nil':
      return { type: 'nil', pos };
    case 'variable':
      if (!parser.variables.includes(text)) refuse(parser, `undefined variable ${quote(text)}`);
      return variable(text, pos);
    case 'field':
      return { type: 'field', pos, names: [text.slice(1)] };
    case 'bool':
      return { type: 'bool', pos, value: text === 'true' };
    case 'charConstant':
    case 'complex':
    case 'number':
      return parseNumberToken(parser, token);
    case 'leftParen':
      return nested(parser, () => parsePipeline(parser, 'parenthesized pipeline', 'rightParen'));
    case 'string':
    case 'rawString':
      return { type: 'string', pos, literal: text, value: unquote(text) ?? refuse(parser, 'invalid syntax') };
    default:
      parser.at -= 1;
      return undefined;
  }
}

function parseNumberToken(parser: Parser, { kind, text, pos }: Token): NumberNode {
  try {
    return kind === 'charConstant' ? parseCharacter(text, pos) : parseNumber(text, pos);
  } catch (error) {
    if (error instanceof TemplateError) refuse(parser, error.message);
    throw error;
  }
}

function variable(name: string, pos: number): VariableNode {
  return { type: 'variable', pos, names: [name] };
}
