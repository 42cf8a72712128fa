import type { Budget } from '../budget.ts';
import { byteLength } from '../go/bytes.ts';
import { quote } from '../go/quote.ts';
import type { GoFunction, GoSlot } from '../go/value.ts';
import { TemplateError } from '../template-error.ts';
import { describeNode } from './node.ts';
import type { CommandNode, Node, Operand } from './node.ts';
import type { Tree } from './parser.ts';

export type MissingKey = 'invalid' | 'zero' | 'error';

/** What all templates of one run share. */
export interface Run {
  readonly name: string;
  readonly text: string;
  readonly trees: ReadonlyMap<string, Tree>;
  readonly functions: ReadonlyMap<string, GoFunction>;
  readonly builtins: ReadonlyMap<string, GoFunction>;
  readonly missingKey: MissingKey;
  readonly budget: Budget;
  readonly output: string[];
}

/** One template while it runs. */
export interface State {
  readonly run: Run;
  readonly tree: Tree;
  readonly depth: number;
  readonly variables: { readonly name: string; value: GoSlot }[];
  /** The node that an error would name. */
  node: Node | Operand | CommandNode;
}

/** Ends the run with Go's words for the place and the problem. */
export function refuseAt(state: State, message: string): never {
  const { name, text } = state.run;
  const before = text.slice(0, state.node.pos);
  const line = before.split('\n').length;
  const column = byteLength(before.slice(before.lastIndexOf('\n') + 1));
  throw new TemplateError(
    `template: ${name}:${line}:${column}: executing ${quote(state.tree.name)} at <${describeNode(state.node)}>: ${message}`,
  );
}

export function setVariable(state: State, name: string, value: GoSlot): void {
  const found = state.variables.findLast((variable) => variable.name === name);
  if (found === undefined) refuseAt(state, `undefined variable: ${name}`);
  found.value = value;
}

export function variableValue(state: State, name: string): GoSlot {
  const found = state.variables.findLast((variable) => variable.name === name);
  if (found === undefined) refuseAt(state, `undefined variable: ${name}`);
  return found.value;
}
