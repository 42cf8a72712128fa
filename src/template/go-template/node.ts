import { quote } from '../go/quote.ts';

/** Where a node stands in the text of its template. */
interface Place {
  readonly pos: number;
}

export type Node = TextNode | ActionNode | BranchNode | TemplateNode | JumpNode | ListNode | EndNode;
export type Operand =
  | FieldNode
  | VariableNode
  | ChainNode
  | IdentifierNode
  | PipeNode
  | DotNode
  | NilNode
  | BoolNode
  | NumberNode
  | StringNode;

export interface ListNode extends Place {
  readonly type: 'list';
  readonly nodes: Node[];
}
export interface TextNode extends Place {
  readonly type: 'text';
  readonly text: string;
}
export interface ActionNode extends Place {
  readonly type: 'action';
  readonly pipe: PipeNode;
}
export interface BranchNode extends Place {
  readonly type: 'if' | 'with' | 'range';
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly elseList: ListNode | undefined;
}
export interface TemplateNode extends Place {
  readonly type: 'template';
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}
export interface JumpNode extends Place {
  readonly type: 'break' | 'continue';
}
/** Only the parser sees these. */
export interface EndNode extends Place {
  readonly type: 'end' | 'else';
}
export interface PipeNode extends Place {
  readonly type: 'pipe';
  isAssign: boolean;
  readonly declarations: VariableNode[];
  readonly commands: CommandNode[];
}
export interface CommandNode extends Place {
  readonly type: 'command';
  readonly args: Operand[];
}
export interface FieldNode extends Place {
  readonly type: 'field';
  readonly names: readonly string[];
}
export interface VariableNode extends Place {
  readonly type: 'variable';
  /** The variable, then fields of its value. */
  readonly names: readonly string[];
}
export interface ChainNode extends Place {
  readonly type: 'chain';
  readonly node: Operand;
  readonly names: readonly string[];
}
export interface IdentifierNode extends Place {
  readonly type: 'identifier';
  readonly name: string;
}
export interface DotNode extends Place {
  readonly type: 'dot';
}
export interface NilNode extends Place {
  readonly type: 'nil';
}
export interface BoolNode extends Place {
  readonly type: 'bool';
  readonly value: boolean;
}
export interface NumberNode extends Place {
  readonly type: 'number';
  readonly text: string;
  readonly int: bigint | undefined;
  readonly uint: bigint | undefined;
  readonly float: number | undefined;
}
export interface StringNode extends Place {
  readonly type: 'string';
  readonly literal: string;
  readonly value: string;
}

/** A node as error messages show it. */
export function describeNode(node: Node | Operand | CommandNode): string {
  switch (node.type) {
    case 'list':
      return node.nodes.map(describeNode).join('');
    case 'text':
      return node.text;
    case 'action':
      return `{{${describeNode(node.pipe)}}}`;
    case 'if':
    case 'with':
    case 'range':
      return describeBranch(node);
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe === undefined ? '' : ` ${describeNode(node.pipe)}`}}}`;
    case 'break':
    case 'continue':
    case 'end':
    case 'else':
      return `{{${node.type}}}`;
    case 'pipe':
      return describePipe(node);
    case 'command':
      return node.args.map((arg) => (arg.type === 'pipe' ? `(${describeNode(arg)})` : describeNode(arg))).join(' ');
    default:
      return describeOperand(node);
  }
}

function describeBranch(node: BranchNode): string {
  const otherwise = node.elseList === undefined ? '' : `{{else}}${describeNode(node.elseList)}`;
  return `{{${node.type} ${describeNode(node.pipe)}}}${describeNode(node.list)}${otherwise}{{end}}`;
}

function describePipe(node: PipeNode): string {
  const declared = node.declarations.map(describeNode).join(', ');
  const head = declared === '' ? '' : `${declared} ${node.isAssign ? '=' : ':='} `;
  return head + node.commands.map(describeNode).join(' | ');
}

function describeOperand(node: Exclude<Operand, PipeNode>): string {
  switch (node.type) {
    case 'field':
      return node.names.map((name) => `.${name}`).join('');
    case 'variable':
      return node.names.join('.');
    case 'chain':
      return `${node.node.type === 'pipe' ? `(${describeNode(node.node)})` : describeNode(node.node)}${node.names.map((name) => `.${name}`).join('')}`;
    case 'identifier':
      return node.name;
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.text;
    case 'string':
      return node.literal;
  }
}
