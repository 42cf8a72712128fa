import { formatNumber, toNumber, toText } from './numbers.ts';
import type { LuaState } from './state.ts';
import { LuaTable } from './table.ts';
import { isTruthy, LuaFunction, typeName } from './value.ts';
import type { LuaValue } from './value.ts';

/** How many `__index` or `__newindex` may follow on each other. */
const CHAIN_MAX = 100;

export function call(state: LuaState, target: LuaValue, args: readonly LuaValue[]): readonly LuaValue[] {
  if (target instanceof LuaFunction) return target.call(args);
  const own = state.metamethod(target, '__call');
  if (own instanceof LuaFunction) return own.call([target, ...args]);
  throw state.fault('attempt to call a non-function object');
}

export function getIndex(state: LuaState, target: LuaValue, key: LuaValue): LuaValue {
  let from = target;
  for (let round = 0; round < CHAIN_MAX; round += 1) {
    if (from instanceof LuaTable) {
      const value = from.get(key);
      if (value !== undefined || from.metatable === undefined) return value;
    }
    const next = state.metamethod(from, '__index');
    if (next === undefined) {
      if (from instanceof LuaTable) return undefined;
      throw notIndexable(state, from, key);
    }
    if (next instanceof LuaFunction) return next.call([from, key])[0];
    from = next;
  }
  throw state.fault('too many recursions in gettable');
}

export function setIndex(state: LuaState, target: LuaValue, key: LuaValue, value: LuaValue): void {
  let into = target;
  for (let round = 0; round < CHAIN_MAX; round += 1) {
    const next = state.metamethod(into, '__newindex');
    if (into instanceof LuaTable) {
      if (next === undefined || into.get(key) !== undefined) {
        rawSet(state, into, key, value);
        return;
      }
    } else if (next === undefined) throw notIndexable(state, into, key);
    if (next instanceof LuaFunction) {
      next.call([into, key, value]);
      return;
    }
    into = next;
  }
  throw state.fault('too many recursions in settable');
}

export function rawSet(state: LuaState, table: LuaTable, key: LuaValue, value: LuaValue): void {
  if (key === undefined) throw state.fault('table index is nil');
  if (typeof key === 'number' && Number.isNaN(key)) throw state.fault('table index is NaN');
  table.set(key, value);
}

function notIndexable(state: LuaState, value: LuaValue, key: LuaValue): Error {
  return state.fault(`attempt to index a non-table object(${typeName(value)}) with key '${display(state, key)}'`);
}

const ARITHMETIC = {
  add: (a: number, b: number) => a + b,
  sub: (a: number, b: number) => a - b,
  mul: (a: number, b: number) => a * b,
  div: (a: number, b: number) => a / b,
  mod: modulo,
  pow: (a: number, b: number) => a ** b,
} as const;

export type ArithmeticName = keyof typeof ARITHMETIC;

/** The sign is that of the divisor. */
function modulo(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

export function arithmetic(state: LuaState, name: ArithmeticName, left: LuaValue, right: LuaValue): LuaValue {
  if (typeof left === 'number' && typeof right === 'number') return ARITHMETIC[name](left, right);
  const own = binaryMetamethod(state, `__${name}`, left, right);
  if (own !== undefined) return call(state, own, [left, right])[0];
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a !== undefined && b !== undefined) return ARITHMETIC[name](a, b);
  // A text that stands for a number is one by now.
  const [one, other] = [typeName(a ?? left), typeName(b ?? right)];
  throw state.fault(`cannot perform ${name} operation between ${one} and ${other}`);
}

function binaryMetamethod(state: LuaState, name: string, left: LuaValue, right: LuaValue): LuaValue {
  return state.metamethod(left, name) ?? state.metamethod(right, name);
}

export function negate(state: LuaState, value: LuaValue): LuaValue {
  if (typeof value === 'number') return -value;
  const own = state.metamethod(value, '__unm');
  if (own !== undefined) return call(state, own, [value])[0];
  const number = toNumber(value);
  if (number !== undefined) return -number;
  throw state.fault('__unm undefined');
}

export function lengthOf(state: LuaState, value: LuaValue): LuaValue {
  if (typeof value === 'string') return value.length;
  const own = state.metamethod(value, '__len');
  if (own !== undefined) return call(state, own, [value])[0];
  if (value instanceof LuaTable) return value.length;
  throw state.fault('__len undefined');
}

export function concatenate(state: LuaState, left: LuaValue, right: LuaValue): LuaValue {
  const [a, b] = [toText(left), toText(right)];
  if (a !== undefined && b !== undefined) {
    state.budget.make(a.length + b.length);
    return a + b;
  }
  const own = binaryMetamethod(state, '__concat', left, right);
  if (own !== undefined) return call(state, own, [left, right])[0];
  throw state.fault(`cannot perform concat operation between ${typeName(left)} and ${typeName(right)}`);
}

export function isEqual(state: LuaState, left: LuaValue, right: LuaValue): boolean {
  if (left === right) return true;
  if (!(left instanceof LuaTable) || !(right instanceof LuaTable)) return false;
  const own = state.metamethod(left, '__eq');
  if (own === undefined || own !== state.metamethod(right, '__eq')) return false;
  return isTruthy(call(state, own, [left, right])[0]);
}

export function isLess(state: LuaState, left: LuaValue, right: LuaValue): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  if (typeof left === 'string' && typeof right === 'string') return left < right;
  const own = commonMetamethod(state, '__lt', left, right);
  if (own !== undefined) return isTruthy(call(state, own, [left, right])[0]);
  throw notComparable(state, left, right);
}

export function isLessOrEqual(state: LuaState, left: LuaValue, right: LuaValue): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left <= right;
  if (typeof left === 'string' && typeof right === 'string') return left <= right;
  const own = commonMetamethod(state, '__le', left, right);
  if (own !== undefined) return isTruthy(call(state, own, [left, right])[0]);
  const less = commonMetamethod(state, '__lt', left, right);
  if (less !== undefined) return !isTruthy(call(state, less, [right, left])[0]);
  throw notComparable(state, left, right);
}

/** Comparisons ask only what both sides agree on. */
function commonMetamethod(state: LuaState, name: string, left: LuaValue, right: LuaValue): LuaValue {
  const own = state.metamethod(left, name);
  return own !== undefined && own === state.metamethod(right, name) ? own : undefined;
}

function notComparable(state: LuaState, left: LuaValue, right: LuaValue): Error {
  return state.fault(`attempt to compare ${typeName(left)} with ${typeName(right)}`);
}

/** A value in words, without asking its metatable. */
export function display(state: LuaState, value: LuaValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatNumber(value);
  if (value === undefined) return 'nil';
  return typeof value === 'boolean' ? String(value) : `${typeName(value)}: ${state.addressOf(value)}`;
}

/** As `tostring` does, which asks the metatable: what that gives need not be a text. */
export function toDisplay(state: LuaState, value: LuaValue): LuaValue {
  const own = value instanceof LuaTable ? state.metamethod(value, '__tostring') : undefined;
  return own === undefined ? display(state, value) : call(state, own, [value])[0];
}
