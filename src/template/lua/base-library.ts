import type { Arguments, Native } from './arguments.ts';
import { Closure, compileClosure } from './compile-function.ts';
import { parseNumber } from './numbers.ts';
import { call, rawSet, toDisplay } from './operations.ts';
import { parseChunk } from './parse-chunk.ts';
import { ERROR_COST } from './state.ts';
import { LuaTable } from './table.ts';
import { LimitError, TemplateError } from '../template-error.ts';
import { isTruthy, LuaError, toLuaText, typeName } from './value.ts';
import type { LuaValue } from './value.ts';

/** How many values a call may be given, as in the original. */
const VALUES_MAX = 4096;

const nextNative: Native = (args) => {
  const entry = args.table(1).next(args.at(2));
  return entry ? [...entry] : [undefined];
};

/** What every script has. Nothing here reads a file. */
export const baseFunctions: Readonly<Record<string, Native>> = {
  assert(args) {
    if (isTruthy(args.any(1))) return args.values;
    throw args.state.fault(args.at(2) === undefined ? 'assertion failed!' : args.text(2));
  },
  collectgarbage: () => [],
  error(args) {
    const value = args.any(1);
    args.state.budget.step(ERROR_COST);
    const level = args.integer(2, 1);
    // The original counts the function that calls `error` twice.
    throw new LuaError(typeof value === 'string' ? args.state.position(level > 1 ? level - 1 : level) + value : value);
  },
  getfenv: (args) => [environmentOf(args)?.globals ?? args.state.globals],
  getmetatable(args) {
    const metatable = args.state.metatableOf(args.any(1));
    return [metatable?.get('__metatable') ?? metatable];
  },
  ipairs(args) {
    return [args.state.hidden.get('nextItem'), args.table(1), 0];
  },
  load(args) {
    let source = '';
    for (;;) {
      const [part] = args.function(1).call([]);
      if (part === undefined || part === '') return compile(args, source);
      if (typeof part !== 'string') return [undefined, 'reader function must return a string'];
      args.state.budget.make(part.length);
      source += part;
    }
  },
  loadstring: (args) => compile(args, args.text(1)),
  newproxy: (args) => [args.state.table()],
  next: nextNative,
  pairs: (args) => [args.state.hidden.get('next'), args.table(1), undefined],
  pcall: (args) => protect(args, args.any(1), args.values.slice(1), (value) => value),
  /** There is nowhere to print to. What it would print is still made, for the errors that come of that. */
  print(args) {
    for (const value of args.values) toDisplay(args.state, value);
    return [];
  },
  rawequal: (args) => [args.any(1) === args.any(2)],
  rawget: (args) => [args.table(1).get(args.any(2))],
  rawset(args) {
    rawSet(args.state, args.table(1), args.any(2), args.any(3));
    return [];
  },
  select(args) {
    if (args.at(1) === '#') return [args.count - 1];
    const from = args.integer(1);
    if (from === 0 || from < 1 - args.count) throw args.refuse(1, 'index out of range');
    return from < 0 ? args.values.slice(from) : args.values.slice(from);
  },
  setfenv(args) {
    const environment = environmentOf(args);
    if (environment === undefined) throw args.state.fault("'setfenv' cannot change environment of given object");
    environment.globals = args.table(2);
    return [args.at(1)];
  },
  setmetatable(args) {
    const metatable = args.any(2);
    if (metatable !== undefined && !(metatable instanceof LuaTable))
      throw args.refuse(2, `nil or table expected, got ${typeName(metatable)}`);
    const value = args.any(1);
    if (args.state.metatableOf(value)?.get('__metatable') !== undefined) throw args.state.fault('cannot change a protected metatable');
    if (!(value instanceof LuaTable)) throw args.refuse(1, `table expected, got ${typeName(value)}`);
    value.metatable = metatable;
    return [value];
  },
  tonumber: (args) => [readNumber(args)],
  tostring: (args) => [toDisplay(args.state, args.any(1))],
  type: (args) => [typeName(args.any(1))],
  unpack(args) {
    const table = args.table(1);
    const [from, to] = [args.integer(2, 1), args.integer(3, table.length)];
    if (to - from >= VALUES_MAX) throw args.state.fault('too many results to unpack');
    const values: LuaValue[] = [];
    for (let at = from; at <= to; at += 1) values.push(table.get(at));
    return values;
  },
  xpcall(args) {
    const handler = args.function(2);
    return protect(args, args.any(1), [], (value) => handler.call([value])[0]);
  },
};

/** Iterators that are the same function at every call. */
export const iterators: Readonly<Record<string, Native>> = {
  next: nextNative,
  nextItem(args) {
    const at = args.integer(2) + 1;
    const value = args.table(1).get(at);
    return value === undefined ? [undefined] : [at, value];
  },
};

/** Calls a function and says whether it went well. What a script may not do at all is not caught. */
function protect(
  { state }: Arguments,
  target: LuaValue,
  values: readonly LuaValue[],
  handle: (value: LuaValue) => LuaValue,
): readonly LuaValue[] {
  const { depth, line } = state;
  try {
    return [true, ...call(state, target, values)];
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    state.unwind(depth);
    state.line = line;
    return [false, handle(error.value)];
  }
}

function compile({ state }: Arguments, source: string): readonly LuaValue[] {
  state.budget.make(source.length);
  state.budget.step(source.length);
  try {
    return [compileClosure(parseChunk(source))(state, [], state.globals)];
  } catch (error) {
    if (!(error instanceof TemplateError) || error instanceof LimitError) throw error;
    return [undefined, toLuaText(error.message)];
  }
}

function environmentOf(args: Arguments): Closure['environment'] | undefined {
  const value = args.at(1);
  return value instanceof Closure ? value.environment : undefined;
}

function readNumber(args: Arguments): number | undefined {
  const value = args.any(1);
  const base = args.integer(2, 10);
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim().toLowerCase();
  if (args.at(2) === undefined) return /^[-+]?\d+e/.test(text) ? undefined : parseNumber(text);
  return readDigits(text, base);
}

/** Whole numbers in another base. */
function readDigits(text: string, base: number): number | undefined {
  const [, sign = '', digits = ''] = /^([-+]?)(?:0x(?=[0-9a-f]))?([0-9a-z]+)$/.exec(text) ?? [];
  if (digits === '' || base < 2 || base > 36) return undefined;
  let number = 0;
  for (const digit of digits) {
    const value = parseInt(digit, 36);
    if (value >= base) return undefined;
    number = number * base + value;
  }
  return sign === '-' ? -number : number;
}
