import { formatValue } from '../go/format-value.ts';
import { boxFor, GoFunction, GoInt, GoList, GoMap, int, isTrue, sortedKeys } from '../go/value.ts';
import type { GoSlot, GoValue } from '../go/value.ts';
import { weigh, weighOnce } from '../go/weigh.ts';
import { evaluatePipeline } from './evaluate.ts';
import { describeNode } from './node.ts';
import type { BranchNode, ListNode, Node, TemplateNode } from './node.ts';
import { refuseAt, setVariable } from './state.ts';
import type { Run, State } from './state.ts';

/** How many templates may be called within each other. */
const DEPTH_MAX = 500;

type Jump = 'break' | 'continue' | undefined;

/** Runs the template of the run's own name. */
export function execute(run: Run, data: GoSlot): void {
  const tree = run.trees.get(run.name);
  if (tree === undefined) return;
  walk({ run, tree, depth: 0, variables: [{ name: '$', value: data }], node: tree.root }, data, tree.root);
}

function walk(state: State, dot: GoSlot, node: Node): Jump {
  state.node = node;
  state.run.budget.step();
  switch (node.type) {
    case 'list':
      return walkList(state, dot, node);
    case 'text':
      write(state, node.text);
      return undefined;
    case 'action': {
      const value = evaluatePipeline(state, dot, node.pipe);
      if (node.pipe.declarations.length === 0) print(state, node, value);
      return undefined;
    }
    case 'if':
    case 'with':
      return walkCondition(state, dot, node);
    case 'range':
      return walkRange(state, dot, node);
    case 'template':
      walkTemplate(state, dot, node);
      return undefined;
    case 'break':
    case 'continue':
      return node.type;
    default:
      return refuseAt(state, `unknown node: ${describeNode(node)}`);
  }
}

function walkList(state: State, dot: GoSlot, list: ListNode): Jump {
  for (const node of list.nodes) {
    const jump = walk(state, dot, node);
    if (jump !== undefined) return jump;
  }
  return undefined;
}

function write(state: State, text: string): void {
  state.run.budget.make(text.length);
  state.run.output.push(text);
}

function print(state: State, node: Node, value: GoValue | undefined): void {
  state.node = node;
  if (value instanceof GoFunction) refuseAt(state, `can't print ${describeNode(node)} of type func`);
  if (value instanceof GoList || value instanceof GoMap) weigh(value, state.run.budget.step);
  write(state, value === undefined ? '<no value>' : formatValue(value));
}

function walkCondition(state: State, dot: GoSlot, node: BranchNode): Jump {
  const mark = state.variables.length;
  const value = evaluatePipeline(state, dot, node.pipe);
  const branch = isTrue(value) ? node.list : node.elseList;
  const jump = branch === undefined ? undefined : walk(state, node.type === 'with' && branch === node.list ? value : dot, branch);
  state.variables.length = mark;
  return jump;
}

function walkRange(state: State, dot: GoSlot, node: BranchNode): Jump {
  const outer = state.variables.length;
  const value = evaluatePipeline(state, dot, node.pipe);
  const inner = state.variables.length;
  let ran = false;
  let jump: Jump;
  for (const [index, element] of iterate(state, node, value)) {
    ran = true;
    state.run.budget.step();
    setRangeVariables(state, node, index, element);
    jump = walk(state, element, node.list);
    state.variables.length = inner;
    if (jump === 'break') break;
  }
  jump = !ran && node.elseList !== undefined ? walk(state, dot, node.elseList) : undefined;
  state.variables.length = outer;
  return jump;
}

function* iterate(state: State, node: BranchNode, value: GoValue | undefined): Generator<readonly [GoSlot, GoSlot]> {
  if (value === undefined) return;
  // It is copied or sorted as a whole, also where the first item is the last that is looked at.
  weighOnce(value, state.run.budget.step);
  if (value instanceof GoInt) {
    if (node.pipe.declarations.length > 1) refuseAt(state, `can't use ${formatValue(value)} to iterate over more than one variable`);
    for (let number = 0n; number < value.value; number += 1n) yield [undefined, new GoInt(number, value.type)];
  } else if (value instanceof GoList) {
    // The list may grow or shrink while it is walked through, and Go has looked at its length before.
    for (const [index, item] of value.items.slice().entries()) yield [int(index), boxFor(value.element, item)];
  } else if (value instanceof GoMap) {
    for (const key of sortedKeys(value)) yield [key, boxFor(value.element, value.entries.get(key) ?? null)];
  } else {
    refuseAt(state, `range can't iterate over ${value instanceof GoFunction ? 'func' : formatValue(value)}`);
  }
}

function setRangeVariables(state: State, node: BranchNode, index: GoSlot, element: GoSlot): void {
  const { declarations, isAssign } = node.pipe;
  const values = declarations.length > 1 ? [index, element] : [element];
  for (const [at, { names }] of declarations.entries()) {
    if (isAssign) {
      setVariable(state, names[0] ?? '', values[at]);
      continue;
    }
    const slot = state.variables.at(at - declarations.length);
    if (slot !== undefined) slot.value = values[at];
  }
}

function walkTemplate(state: State, dot: GoSlot, node: TemplateNode): void {
  state.node = node;
  const tree = state.run.trees.get(node.name);
  if (tree === undefined) return refuseAt(state, `template ${JSON.stringify(node.name)} not defined`);
  if (state.depth === DEPTH_MAX) refuseAt(state, `exceeded maximum template depth (${DEPTH_MAX})`);
  const data = evaluatePipeline(state, dot, node.pipe);
  walk({ run: state.run, tree, depth: state.depth + 1, variables: [{ name: '$', value: data }], node: tree.root }, data, tree.root);
}
