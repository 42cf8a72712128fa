import { compileExpression, compileExpressions } from './compile-expression.ts';
import type { Expression, Statement } from './node.ts';
import { toNumber } from './numbers.ts';
import { call } from './operations.ts';
import { BREAK } from './signal.ts';
import type { Execute } from './signal.ts';
import type { LuaState } from './state.ts';
import { declare } from './variables.ts';
import { isTruthy } from './value.ts';
import type { LuaValue } from './value.ts';

export function compileWhile(condition: Expression, round: Execute): Execute {
  const holds = compileExpression(condition);
  return (frame) => {
    while (isTruthy(holds(frame))) {
      frame.state.budget.step();
      const signal = round(frame);
      if (signal === BREAK) return undefined;
      if (signal !== undefined) return signal;
    }
    return undefined;
  };
}

export function compileRepeat(condition: Expression, round: Execute): Execute {
  const isDone = compileExpression(condition);
  return (frame) => {
    do {
      frame.state.budget.step();
      const signal = round(frame);
      if (signal === BREAK) return undefined;
      if (signal !== undefined) return signal;
    } while (!isTruthy(isDone(frame)));
    return undefined;
  };
}

/** Counts from one number to another. */
export function compileCount(statement: Extract<Statement, { type: 'count' }>, round: Execute): Execute {
  const [from, to] = [compileExpression(statement.from), compileExpression(statement.to)];
  const step = statement.step === undefined ? () => 1 : compileExpression(statement.step);
  const [assign, { line }] = [declare(statement.variable), statement];
  return (frame) => {
    const { state } = frame;
    const [first, last, change] = [from(frame), to(frame), step(frame)];
    state.line = line;
    const start = requireNumber(state, 'init', first);
    const end = requireNumber(state, 'limit', last);
    const by = requireNumber(state, 'step', change);
    // A step of 0 goes nowhere, and as in the original nothing is done at all.
    for (let count = start; by > 0 ? count <= end : by < 0 && count >= end; count += by) {
      state.budget.step();
      assign(frame, count);
      const signal = round(frame);
      if (signal === BREAK) return undefined;
      if (signal !== undefined) return signal;
    }
    return undefined;
  };
}

function requireNumber(state: LuaState, what: string, value: LuaValue): number {
  const number = toNumber(value);
  if (number === undefined) throw state.fault(`for statement ${what} must be a number`);
  return number;
}

/** Asks a function for the next values until the first of them is nil. */
export function compileEach(statement: Extract<Statement, { type: 'each' }>, round: Execute): Execute {
  const { line } = statement;
  const [values, assigns] = [compileExpressions(statement.values), statement.variables.map(declare)];
  return (frame) => {
    const { state } = frame;
    const [next, invariant, start] = values(frame);
    let control = start;
    for (;;) {
      state.budget.step();
      state.line = line;
      const found = call(state, next, [invariant, control]);
      control = found[0];
      if (control === undefined) return undefined;
      for (const [index, assign] of assigns.entries()) assign(frame, found[index]);
      const signal = round(frame);
      if (signal === BREAK) return undefined;
      if (signal !== undefined) return signal;
    }
  };
}
