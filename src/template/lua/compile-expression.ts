import type { Frame } from './frame.ts';
import type { BinaryOperator, CallNode, Expression, NameNode, TableField, UnaryOperator } from './node.ts';
import {
  arithmetic,
  call,
  concatenate,
  getIndex,
  isEqual,
  isLess,
  isLessOrEqual,
  lengthOf,
  negate,
  rawSet,
  type ArithmeticName,
} from './operations.ts';
import type { LuaState } from './state.ts';
import { isTruthy } from './value.ts';
import type { LuaValue } from './value.ts';

/** One value. */
export type Evaluate = (frame: Frame) => LuaValue;
/** As many values as there are. */
export type EvaluateAll = (frame: Frame) => readonly LuaValue[];

export function compileExpression(node: Expression): Evaluate {
  switch (node.type) {
    case 'constant': {
      const { value } = node;
      return () => value;
    }
    case 'local':
    case 'captured':
    case 'global':
      return compileName(node);
    case 'index': {
      const [target, key, { line }] = [compileExpression(node.target), compileExpression(node.key), node];
      return (frame) => {
        const [from, at] = [target(frame), key(frame)];
        frame.state.line = line;
        return getIndex(frame.state, from, at);
      };
    }
    case 'call': {
      const all = compileCall(node);
      return (frame) => all(frame)[0];
    }
    case 'varargs':
      return ({ varargs }) => varargs[0];
    case 'function':
      return (frame) => frame.state.makeClosure(node, frame);
    case 'table':
      return compileTable(node.fields);
    case 'single':
      return compileExpression(node.value);
    case 'unary':
      return compileUnary(node.operator, compileExpression(node.operand), node.line);
    case 'binary':
      return compileBinary(node.operator, compileExpression(node.left), compileExpression(node.right), node.line);
  }
}

/** A list of expressions, of which the last may give any number of values. */
export function compileExpressions(nodes: readonly Expression[]): EvaluateAll {
  const last = nodes.at(-1);
  if (last === undefined) return () => [];
  const rest = last.type === 'call' ? compileCall(last) : last.type === 'varargs' ? (frame: Frame) => frame.varargs : undefined;
  if (rest !== undefined && nodes.length === 1) return rest;
  const singles = (rest === undefined ? nodes : nodes.slice(0, -1)).map(compileExpression);
  return (frame) => {
    const values: LuaValue[] = [];
    for (const single of singles) values.push(single(frame));
    if (rest === undefined) return values;
    const more = rest(frame);
    frame.state.budget.step(more.length / 16);
    return values.concat(more);
  };
}

function compileName(node: NameNode): Evaluate {
  if (node.type === 'captured') return ({ captured }) => captured[node.index]?.value;
  if (node.type === 'global') {
    const { name, line } = node;
    return ({ state, environment }) => {
      const { globals } = environment;
      if (globals.metatable === undefined) return globals.get(name);
      state.line = line;
      return getIndex(state, globals, name);
    };
  }
  const { slot, isCaptured } = node.variable;
  return isCaptured ? ({ cells }) => cells[slot]?.value : ({ locals }) => locals[slot];
}

/** The function and its arguments, before it is called. */
export function compileCallParts(node: CallNode): (frame: Frame) => { readonly target: LuaValue; readonly args: readonly LuaValue[] } {
  const [target, args, { method, line }] = [compileExpression(node.target), compileExpressions(node.args), node];
  if (method === undefined) return (frame) => ({ target: target(frame), args: args(frame) });
  return (frame) => {
    const self = target(frame);
    frame.state.line = line;
    return { target: getIndex(frame.state, self, method), args: [self, ...args(frame)] };
  };
}

export function compileCall(node: CallNode): EvaluateAll {
  const [parts, { line }] = [compileCallParts(node), node];
  return (frame) => {
    const { target, args } = parts(frame);
    const { state } = frame;
    state.line = line;
    state.budget.step();
    const values = call(state, target, args);
    state.line = line;
    return values;
  };
}

function compileTable(fields: readonly TableField[]): Evaluate {
  const items = compileExpressions(fields.flatMap((field) => (field.type === 'item' ? [field.value] : [])));
  const entries = fields.flatMap((field) =>
    field.type === 'entry' ? [{ key: compileExpression(field.key), value: compileExpression(field.value), line: field.line }] : [],
  );
  return (frame) => {
    const table = frame.state.table();
    for (const { key, value, line } of entries) {
      const [at, entry] = [key(frame), value(frame)];
      frame.state.line = line;
      rawSet(frame.state, table, at, entry);
    }
    const values = items(frame);
    if (values.length > 0) table.appendFrom(1, values);
    return table;
  };
}

function compileUnary(operator: UnaryOperator, operand: Evaluate, line: number): Evaluate {
  if (operator === 'not') return (frame) => !isTruthy(operand(frame));
  const operation = operator === '-' ? negate : lengthOf;
  return (frame) => {
    const value = operand(frame);
    frame.state.line = line;
    return operation(frame.state, value);
  };
}

type Operation = (state: LuaState, left: LuaValue, right: LuaValue) => LuaValue;

const calculate =
  (name: ArithmeticName): Operation =>
  (state, left, right) =>
    arithmetic(state, name, left, right);

const OPERATIONS: Readonly<Record<Exclude<BinaryOperator, 'and' | 'or'>, Operation>> = {
  '+': calculate('add'),
  '-': calculate('sub'),
  '*': calculate('mul'),
  '/': calculate('div'),
  '%': calculate('mod'),
  '^': calculate('pow'),
  '..': concatenate,
  '==': isEqual,
  '~=': (state, left, right) => !isEqual(state, left, right),
  '<': isLess,
  '<=': isLessOrEqual,
  '>': (state, left, right) => isLess(state, right, left),
  '>=': (state, left, right) => isLessOrEqual(state, right, left),
};

function compileBinary(operator: BinaryOperator, left: Evaluate, right: Evaluate, line: number): Evaluate {
  if (operator === 'and')
    return (frame) => {
      const value = left(frame);
      return isTruthy(value) ? right(frame) : value;
    };
  if (operator === 'or')
    return (frame) => {
      const value = left(frame);
      return isTruthy(value) ? value : right(frame);
    };
  const operation = OPERATIONS[operator];
  return (frame) => {
    const [a, b] = [left(frame), right(frame)];
    frame.state.line = line;
    return operation(frame.state, a, b);
  };
}
