import { compileCall, compileCallParts, compileExpression, compileExpressions } from './compile-expression.ts';
import { compileCount, compileEach, compileRepeat, compileWhile } from './compile-loop.ts';
import { declare, store } from './variables.ts';
import type { Frame } from './frame.ts';
import type { Block, Expression, Statement, Target, Variable } from './node.ts';
import { setIndex } from './operations.ts';
import { BREAK, Jump, TailCall } from './signal.ts';
import type { Execute } from './signal.ts';
import { isTruthy } from './value.ts';
import type { LuaValue } from './value.ts';

/** Statements one after the other; a jump to a label among them goes on there. */
export function compileBlock(block: Block): Execute {
  const labels = new Map<string, number>();
  const steps: Execute[] = [];
  for (const statement of block) {
    if (statement.type === 'label') labels.set(statement.name, steps.length);
    else steps.push(compileStatement(statement));
  }
  return (frame) => {
    for (let at = 0; at < steps.length; at += 1) {
      frame.state.budget.step();
      const signal = steps[at]?.(frame);
      if (signal === undefined) continue;
      const target = signal instanceof Jump ? labels.get(signal.label) : undefined;
      if (target === undefined) return signal;
      at = target - 1;
    }
    return undefined;
  };
}

function compileStatement(statement: Exclude<Statement, { type: 'label' }>): Execute {
  switch (statement.type) {
    case 'local':
      return compileLocal(statement.variables, statement.values);
    case 'local function': {
      const [value, assign] = [compileExpression(statement.value), declare(statement.variable)];
      return (frame) => {
        // The variable is there before the function that may use it.
        assign(frame, undefined);
        store(statement.variable, frame, value(frame));
        return undefined;
      };
    }
    case 'assign':
      return compileAssignment(statement.targets, statement.values);
    case 'call': {
      const perform = compileCall(statement.call);
      return (frame) => {
        perform(frame);
        return undefined;
      };
    }
    case 'do':
      return compileBlock(statement.body);
    case 'while':
      return compileWhile(statement.condition, compileBlock(statement.body));
    case 'repeat':
      return compileRepeat(statement.condition, compileBlock(statement.body));
    case 'if':
      return compileIf(statement.branches, statement.otherwise);
    case 'count':
      return compileCount(statement, compileBlock(statement.body));
    case 'each':
      return compileEach(statement, compileBlock(statement.body));
    case 'return':
      return compileReturn(statement.values);
    case 'break':
      return () => BREAK;
    case 'goto': {
      const jump = new Jump(statement.label);
      return () => jump;
    }
  }
}

function compileLocal(variables: readonly Variable[], values: readonly Expression[]): Execute {
  const declarations = variables.map(declare);
  const [only] = declarations;
  const [expression] = values;
  if (only !== undefined && expression !== undefined && declarations.length === 1 && values.length === 1) {
    const value = compileExpression(expression);
    return (frame) => {
      only(frame, value(frame));
      return undefined;
    };
  }
  const all = compileExpressions(values);
  return (frame) => {
    const found = all(frame);
    for (const [index, assign] of declarations.entries()) assign(frame, found[index]);
    return undefined;
  };
}

type Assign = (frame: Frame, value: LuaValue) => void;

/** What a target stands for is found before anything is assigned. */
function compileTarget(target: Target): (frame: Frame) => Assign {
  if (target.type === 'local') return () => (frame, value) => store(target.variable, frame, value);
  if (target.type === 'captured')
    return () => (frame, value) => {
      const cell = frame.captured[target.index];
      if (cell !== undefined) cell.value = value;
    };
  if (target.type === 'global')
    return () => (frame, value) => {
      frame.state.line = target.line;
      setIndex(frame.state, frame.environment.globals, target.name, value);
    };
  const [into, key, { line }] = [compileExpression(target.target), compileExpression(target.key), target];
  return (frame) => {
    const [table, at] = [into(frame), key(frame)];
    return ({ state }, value) => {
      state.line = line;
      setIndex(state, table, at, value);
    };
  };
}

function compileAssignment(targets: readonly Target[], values: readonly Expression[]): Execute {
  const places = targets.map(compileTarget);
  const [only] = places;
  const [expression] = values;
  if (only !== undefined && expression !== undefined && places.length === 1 && values.length === 1) {
    const value = compileExpression(expression);
    return (frame) => {
      only(frame)(frame, value(frame));
      return undefined;
    };
  }
  const all = compileExpressions(values);
  return (frame) => {
    const assigns = places.map((place) => place(frame));
    const found = all(frame);
    for (const [index, assign] of assigns.entries()) assign(frame, found[index]);
    return undefined;
  };
}

function compileIf(branches: readonly { readonly condition: Expression; readonly body: Block }[], otherwise: Block): Execute {
  const choices = branches.map(({ condition, body }) => ({ condition: compileExpression(condition), body: compileBlock(body) }));
  const last = compileBlock(otherwise);
  return (frame) => {
    for (const { condition, body } of choices) if (isTruthy(condition(frame))) return body(frame);
    return last(frame);
  };
}

function compileReturn(values: readonly Expression[]): Execute {
  const [only] = values;
  if (only?.type !== 'call' || values.length !== 1) return compileExpressions(values);
  const [parts, { line }] = [compileCallParts(only), only];
  return (frame) => {
    const { target, args } = parts(frame);
    frame.state.line = line;
    return new TailCall(frame.state, target, args);
  };
}
