import { sprintf } from '../go/printf.ts';
import { fromBytes, toBytes } from '../go/bytes.ts';
import { int64 } from '../go/value.ts';
import type { GoAny } from '../go/value.ts';
import type { Arguments, Native } from './arguments.ts';
import { parseNumber, toText } from './numbers.ts';
import { display, getIndex } from './operations.ts';
import { findMatch } from './pattern.ts';
import type { Match } from './pattern.ts';
import { LuaTable } from './table.ts';
import { fromLuaText, isTruthy, LuaFunction, toLuaText, typeName } from './value.ts';
import type { LuaValue } from './value.ts';

/** The widest that a format may make a value. */
const WIDTH_MAX = 999;
const SPECIAL = /[\^$*+?.()[%-]/;

export const stringFunctions: Readonly<Record<string, Native>> = {
  byte(args) {
    const text = args.text(1);
    const first = args.integer(2, 1);
    const [from, to] = slice(text, first, args.integer(3, first));
    return Array.from(text.slice(from, to), (character) => character.charCodeAt(0));
  },
  char: (args) => [args.values.map((_, index) => String.fromCharCode(args.integer(index + 1) & 0xff)).join('')],
  dump(args) {
    throw args.state.fault('GopherLua does not support the string.dump');
  },
  find: (args) => find(args),
  format: (args) => [formatText(args)],
  gmatch(args) {
    const [{ state }, text, pattern] = [args, args.text(1), args.text(2)];
    let at = 0;
    const next = (): readonly LuaValue[] => {
      const isOver = at > text.length || (at > 0 && pattern.startsWith('^'));
      const match = isOver ? undefined : findMatch(state, text, pattern, at);
      if (match === undefined) return [undefined];
      at = match.end === match.start ? match.end + 1 : match.end;
      return match.captures;
    };
    return [new LuaFunction('gmatch', next)];
  },
  gsub: (args) => substitute(args),
  len: (args) => [args.text(1).length],
  lower: (args) => [toLuaText(fromLuaText(made(args, args.text(1))).toLowerCase())],
  match(args) {
    const text = args.text(1);
    const match = findMatch(args.state, text, args.text(2), start(text, args.integer(3, 1)));
    // As in the original, nothing at all and not nil.
    return match?.captures ?? [];
  },
  rep(args) {
    const [text, count] = [args.text(1), Math.max(0, args.integer(2))];
    args.state.budget.make(text.length * count);
    return [text.repeat(count)];
  },
  reverse: (args) => [
    Array.from(made(args, args.text(1)))
      .toReversed()
      .join(''),
  ],
  sub(args) {
    const text = args.text(1);
    return [text.slice(...slice(text, args.integer(2), args.integer(3, -1)))];
  },
  upper: (args) => [toLuaText(fromLuaText(made(args, args.text(1))).toUpperCase())],
};

function made({ state }: Arguments, text: string): string {
  state.budget.make(text.length);
  return text;
}

/** Places count from 1, and from the end where they are negative; the second is one of those that are meant. */
function slice(text: string, first: number, last: number): [number, number] {
  const from = first < 0 ? Math.max(0, text.length + first) : Math.max(0, first - 1);
  const to = last < 0 ? text.length + last + 1 : Math.min(last, text.length);
  return [from, Math.max(from, to)];
}

function start(text: string, first: number): number {
  return first < 0 ? Math.max(0, text.length + first) : Math.max(0, first - 1);
}

function find(args: Arguments): readonly LuaValue[] {
  const [text, pattern] = [args.text(1), args.text(2)];
  // An empty pattern is always found at the beginning.
  if (pattern === '') return [1, 0];
  const from = start(text, args.integer(3, 1));
  if (isTruthy(args.at(4)) || !SPECIAL.test(pattern)) {
    args.state.budget.step(1 + text.length / 64);
    const at = from > text.length ? -1 : text.indexOf(pattern, from);
    return at < 0 ? [undefined] : [at + 1, at + pattern.length];
  }
  const match = findMatch(args.state, text, pattern, from);
  if (match === undefined) return [undefined];
  const hasCaptures = match.captures.length > 1 || pattern.includes('(');
  return [match.start + 1, match.end, ...(hasCaptures && isCapturing(pattern) ? match.captures : [])];
}

/** Whether a pattern catches parts: it has a bracket that is neither escaped nor in a set. */
function isCapturing(pattern: string): boolean {
  return /(?:^|[^%])(?:%%)*\(/.test(pattern.replaceAll(/(?<!%)\[\^?\]?(?:%.|[^\]])*\]/gs, '.').replaceAll(/%b../gs, '.'));
}

function substitute(args: Arguments): readonly LuaValue[] {
  const { state } = args;
  const [text, pattern, by] = [args.text(1), args.text(2), args.at(3)];
  if (toText(by) === undefined && !(by instanceof LuaTable) && !(by instanceof LuaFunction))
    throw args.refuse(3, `string or table or function expected, got ${typeName(by)}`);
  const most = args.at(4) === undefined || args.integer(4) < 0 ? Infinity : args.integer(4);
  let [result, at, count] = ['', 0, 0];
  while (count < most && at <= text.length) {
    const match = findMatch(state, text, pattern, at);
    if (match === undefined) break;
    count += 1;
    const replaced = replacement(args, by, match, text);
    result += text.slice(at, match.start) + replaced;
    state.budget.make(match.start - at + replaced.length);
    at = match.end;
    if (match.end === match.start) {
      result += text.slice(at, at + 1);
      at += 1;
    }
    if (pattern.startsWith('^')) break;
  }
  return [result + text.slice(at), count];
}

function replacement(args: Arguments, by: LuaValue, { start: from, end, captures }: Match, text: string): string {
  const whole = text.slice(from, end);
  const template = toText(by);
  if (template !== undefined)
    return template.replaceAll(/%(.)/gs, (escape, sign: string) => {
      if (sign === '%') return '%';
      if (!/[0-9]/.test(sign)) return escape;
      const caught = sign === '0' ? whole : captures[Number(sign) - 1];
      if (caught === undefined) throw args.state.fault('invalid capture index');
      return toText(caught) ?? '';
    });
  const value = by instanceof LuaFunction ? by.call(captures)[0] : getIndex(args.state, by, captures[0]);
  if (!isTruthy(value)) return whole;
  return toText(value) ?? '';
}

/** As Go formats: each value is what its verb asks for. */
function formatText(args: Arguments): string {
  const format = args.text(1);
  const verbs = Array.from(format.matchAll(/%[-+# 0]*(\d*)(?:\.(\d*))?(.)/gs)).filter(([, , , verb]) => verb !== '%');
  if (verbs.some(([, width = '', precision = '']) => Number(width) > WIDTH_MAX || Number(precision) > WIDTH_MAX))
    throw args.state.fault('invalid format (width or precision too long)');
  const values = args.values.slice(1, 1 + verbs.length).map((value, index) => toGo(args, value, verbs[index]?.[3] ?? ''));
  const text = sprintf(fromBytes(Buffer.from(format.replaceAll(/(%[-+# 0]*\d*(?:\.\d*)?)i/g, '$1d'), 'latin1')), values);
  const bytes = toBytes(text).toString('latin1');
  args.state.budget.make(bytes.length);
  return bytes;
}

function toGo({ state }: Arguments, value: LuaValue, verb: string): GoAny {
  const isWhole = 'bcdioxXU'.includes(verb);
  if (typeof value === 'string' && (verb === 'd' || verb === 'i')) return whole(parseNumber(value) ?? 0);
  if (typeof value === 'number') {
    if (verb === 's' || verb === 'q') return display(state, value);
    if ('eEfFgG'.includes(verb)) return value;
    return isWhole || Number.isInteger(value) ? whole(value) : value;
  }
  return typeof value === 'boolean' && verb !== 's' ? value : fromBytes(Buffer.from(display(state, value), 'latin1'));
}

function whole(value: number): GoAny {
  return Number.isFinite(value) ? int64(BigInt(Math.trunc(value))) : int64(-(2n ** 63n));
}
