import { compileRegexp, RegexpError } from '../../base/index.ts';
import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonValue } from '../../objects/index.ts';
import type { Budget } from '../budget.ts';
import { runes } from '../go/bytes.ts';
import { LimitError } from '../template-error.ts';
import { collect, made, pathsOf, plainItem, step } from './scope.ts';
import type { Item, Items, Native, Scope } from './scope.ts';
import { formatText, toJqJson, toJqText } from './formats.ts';
import { calculate } from './operators.ts';
import {
  compareValues,
  deletePaths,
  describe,
  fieldOf,
  fromFields,
  JqError,
  kindOf,
  placesOf,
  sortedFields,
  stepInto,
  toStep,
  updatePath,
} from './values.ts';
import type { JqStep } from './values.ts';
import { PER_ITEM, PER_VALUE, spendOnce, spendOnSearch, spendWhole } from './weights.ts';

type Value = JsonValue;

/** Functions that are written in TypeScript. Nothing reads files, the environment, further input or a clock. */
export const NATIVES: ReadonlyMap<string, Native> = new Map<string, Native>([
  ['empty/0', function* () {}],
  ['error/0', (_, __, input) => raise(input.value)],
  ['error/1', raiseArgument],
  [
    'path/1',
    function* (args, scope, input) {
      for (const path of pathsOf(arg(args, 0), scope, input.value)) yield made(input, path as Value);
    },
  ],
  ['getpath/1', getPath],
  [
    'range/2',
    function* (args, scope, input) {
      for (const { value: from } of argument(args, 0, scope, input))
        for (const { value: to } of argument(args, 1, scope, input)) yield* range(scope, input, [from, to, 1]);
    },
  ],
  [
    'range/3',
    function* (args, scope, input) {
      for (const { value: from } of argument(args, 0, scope, input))
        for (const { value: to } of argument(args, 1, scope, input))
          for (const { value: by } of argument(args, 2, scope, input)) yield* range(scope, input, [from, to, by]);
    },
  ],
  [
    'first/1',
    function* (args, scope, input) {
      for (const item of scope.evaluate(arg(args, 0), scope, input)) return yield item;
    },
  ],
  [
    'isempty/1',
    function* (args, scope, input) {
      for (const _ of argument(args, 0, scope, input)) return yield made(input, false);
      yield made(input, true);
    },
  ],
  [
    'limit/2',
    function* (args, scope, input) {
      for (const { value: count } of argument(args, 0, scope, input)) {
        let left = asNumber(count);
        if (left <= 0) continue;
        for (const item of scope.evaluate(arg(args, 1), scope, input)) {
          yield item;
          left -= 1;
          if (left <= 0) break;
        }
      }
    },
  ],
  ...values0({
    length: lengthOf,
    utf8bytelength: (value) => Buffer.byteLength(asText(value)),
    keys: (value) => (isJsonArray(value) ? value.map((_, at) => at) : sortedFields(asObject(value))),
    type: kindOf,
    tojson: whole(toJqJson),
    tostring: whole(toJqText),
    fromjson: parseText,
    tonumber: toNumber,
    reverse: (value) => (value === null ? [] : typeof value === 'string' ? runes(value).toReversed().join('') : asList(value).toReversed()),
    sort: (value, budget) => [...asList(value)].sort((left, right) => compareValues(left, right, budget)),
    floor: (value) => Math.floor(asNumber(value)),
    ceil: (value) => Math.ceil(asNumber(value)),
    round: (value) => Math.sign(asNumber(value)) * Math.round(Math.abs(asNumber(value))),
    sqrt: (value) => Math.sqrt(asNumber(value)),
    fabs: (value) => Math.abs(asNumber(value)),
    isnan: (value) => Number.isNaN(asNumber(value)),
    isinfinite: (value) => Math.abs(asNumber(value)) === Infinity,
    isnormal: (value) => Number.isFinite(asNumber(value)) && value !== 0,
    ascii_downcase: (value) => asText(value).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
    ascii_upcase: (value) => asText(value).replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
    explode: (value) => runes(asText(value)).map((character) => character.codePointAt(0) ?? 0),
    implode: (value) =>
      asList(value)
        .map((code) => String.fromCodePoint(asCode(code)))
        .join(''),
    trim: (value) => asText(value).trim(),
    ltrim: (value) => asText(value).trimStart(),
    rtrim: (value) => asText(value).trimEnd(),
    flatten: whole((value) => flatten(value, Infinity)),
    transpose: (value, budget) => transpose(asList(value).map(asList), budget),
    infinite: () => Number.MAX_VALUE,
  }),
  ...values1({
    has: (value, key) => hasKey(value, key),
    contains: (value, other, budget) => contains(value, other, budget),
    startswith: (value, start) => asText(value).startsWith(asText(start)),
    endswith: (value, end) => asText(value).endsWith(asText(end)),
    ltrimstr: (value, start) =>
      typeof value === 'string' && typeof start === 'string' && value.startsWith(start) ? value.slice(start.length) : value,
    rtrimstr: (value, end) =>
      typeof value === 'string' && typeof end === 'string' && end !== '' && value.endsWith(end) ? value.slice(0, -end.length) : value,
    split: (value, separator, budget) => calculate('/', asText(value), asText(separator), budget),
    join: joinTexts,
    flatten: (value, depth, budget) => whole((all) => flatten(all, asDepth(depth)))(value, budget),
    delpaths: (value, paths, budget) => deletePaths(value, whole(asList)(paths, budget).map(asPath), budget),
    indices: (value, wanted, budget) => indices(value, wanted, budget),
    index: (value, wanted, budget) => indices(value, wanted, budget)?.[0] ?? null,
    rindex: (value, wanted, budget) => indices(value, wanted, budget)?.at(-1) ?? null,
    format: (value, name, budget) => whole((all) => formatText(asText(name), all))(value, budget),
    _sort_by: (value, keys, budget) => sorted(asList(value), asList(keys), budget).map(([item]) => item),
    _group_by: (value, keys, budget) => grouped(sorted(asList(value), asList(keys), budget), budget),
    _min_by: (value, keys, budget) => sorted(asList(value), asList(keys), budget)[0]?.[0] ?? null,
    _max_by: (value, keys, budget) => sorted(asList(value), asList(keys), budget).at(-1)?.[0] ?? null,
  }),
  [
    'setpath/2',
    function* (args, scope, input) {
      for (const { value: path } of argument(args, 0, scope, input))
        for (const { value } of argument(args, 1, scope, input))
          yield made(
            input,
            updatePath(input.value, asPath(path), () => value, scope.budget),
          );
    },
  ],
  ['_match/3', matchText],
  ['input/0', () => raise('there is no further input here')],
]);

function arg(args: Parameters<Native>[0], at: number): Parameters<Native>[0][number] {
  return args[at] ?? { type: 'identity' };
}

function argument(args: Parameters<Native>[0], at: number, scope: Scope, input: Item): Items {
  return scope.evaluate(arg(args, at), scope, plainItem(input));
}

function raise(value: Value): never {
  throw new JqError(value);
}

function raiseArgument(args: Parameters<Native>[0], scope: Scope, input: Item): Items {
  for (const { value } of argument(args, 0, scope, input)) raise(value);
  return argument([{ type: 'call', name: 'empty', args: [] }], 0, scope, input);
}

/** A function that looks at everything in a value. */
function whole<Result>(call: (value: Value) => Result): (value: Value, budget: Budget) => Result {
  return (value, budget) => {
    spendWhole(value, budget);
    return call(value);
  };
}

function values0(table: Readonly<Record<string, (value: Value, budget: Budget) => Value>>): [string, Native][] {
  return Object.entries(table).map(([name, call]) => [
    `${name}/0`,
    function* (_, scope, input) {
      spendOnce(input.value, scope.budget);
      const result = call(input.value, scope.budget);
      spend(scope, result);
      yield made(input, result);
    },
  ]);
}

function values1(table: Readonly<Record<string, (value: Value, other: Value, budget: Budget) => Value>>): [string, Native][] {
  return Object.entries(table).map(([name, call]) => [
    `${name}/1`,
    function* (args, scope, input) {
      for (const { value } of argument(args, 0, scope, input)) {
        spendOnce(input.value, scope.budget);
        spendOnce(value, scope.budget);
        const result = call(input.value, value, scope.budget);
        spend(scope, result);
        yield made(input, result);
      }
    },
  ]);
}

function spend(scope: Scope, result: Value): void {
  if (typeof result === 'string' || isJsonArray(result)) scope.budget.make(result.length);
}

function asText(value: Value): string {
  return typeof value === 'string' ? value : raise(`expected a string but got: ${describe(value)}`);
}
function asNumber(value: Value): number {
  return typeof value === 'number' ? value : raise(`expected a number but got: ${describe(value)}`);
}
function asList(value: Value): readonly Value[] {
  return isJsonArray(value) ? value : raise(`expected an array but got: ${describe(value)}`);
}
function asObject(value: Value) {
  return isJsonObject(value) ? value : raise(`expected an object but got: ${describe(value)}`);
}
function asPath(value: Value): JqStep[] {
  return asList(value).map(toStep);
}
function asDepth(value: Value): number {
  return asNumber(value) < 0 ? raise('flatten depth must not be negative') : asNumber(value);
}
function asCode(value: Value): number {
  const code = asNumber(value);
  return code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? Math.floor(code) : 0xfffd;
}

function* getPath(args: Parameters<Native>[0], scope: Scope, input: Item): Items {
  for (const { value } of argument(args, 0, scope, input)) {
    let item = input;
    spendOnce(value, scope.budget);
    for (const to of asPath(value)) item = step(item, to, stepInto(item.value, to, scope.budget), scope.budget);
    yield item;
  }
}

function* range(scope: Scope, input: Item, [from, to, by]: [Value, Value, Value]): Items {
  const [start, end, distance] = [asNumber(from), asNumber(to), asNumber(by)];
  for (let number = start; distance > 0 ? number < end : distance < 0 ? number > end : start < end; number += distance) {
    scope.budget.step();
    yield made(input, number);
  }
}

function lengthOf(value: Value): Value {
  if (value === null) return 0;
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'string') return runes(value).length;
  if (typeof value === 'boolean') return raise(`length cannot be applied to: ${describe(value)}`);
  return isJsonArray(value) ? value.length : Object.keys(value).length;
}

function parseText(value: Value, budget: Budget): Value {
  const text = asText(value);
  budget.make(text.length);
  try {
    return JSON.parse(text) as Value;
  } catch (error) {
    if (error instanceof SyntaxError) return raise(`fromjson cannot be applied to: ${describe(value)}`);
    throw error;
  }
}

function toNumber(value: Value): Value {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(value)) return Number(value);
  return raise(`tonumber cannot be applied to: ${describe(value)}`);
}

function hasKey(value: Value, key: Value): boolean {
  if (isJsonArray(value) && typeof key === 'number') return key >= 0 && key < value.length;
  if (isJsonObject(value) && typeof key === 'string') return Object.hasOwn(value, key);
  return raise(`has cannot be applied to: ${describe(value)}`);
}

function contains(value: Value, other: Value, budget: Budget): boolean {
  budget.step(PER_VALUE);
  if (isJsonObject(value) && isJsonObject(other)) {
    spendOnce(other, budget);
    const has = (key: string): boolean => Object.hasOwn(value, key) && contains(fieldOf(value, key) ?? null, other[key] ?? null, budget);
    return Object.keys(other).every(has);
  }
  if (isJsonArray(value) && isJsonArray(other)) {
    const matches = (item: Value, wanted: Value): boolean => {
      budget.step(PER_ITEM);
      return kindOf(item) === kindOf(wanted) && contains(item, wanted, budget);
    };
    return other.every((wanted) => value.some((item) => matches(item, wanted)));
  }
  if (typeof value === 'string' && typeof other === 'string') {
    spendOnSearch(value, other, budget);
    return value.includes(other);
  }
  if (kindOf(value) === kindOf(other)) return value === other;
  return raise(`contains cannot be applied to: ${describe(value)}`);
}

function joinTexts(value: Value, separator: Value, budget: Budget): Value {
  const items = asList(value);
  if (items.length === 0) return '';
  const glue = asText(separator);
  // Before they are one text: what is in the list is there already, and may be in it many times.
  budget.make(items.reduce<number>((sum, item) => sum + glue.length + (typeof item === 'string' ? item.length : 0), 0));
  return items
    .map((item) => (item === null ? '' : typeof item === 'object' ? raise(`cannot join: ${describe(item)}`) : toJqText(item)))
    .join(glue);
}

function flatten(value: Value, depth: number): Value[] {
  const items = isJsonObject(value) ? sortedFields(value).map((key) => value[key] ?? null) : asList(value);
  return items.flatMap((item) => (isJsonArray(item) && depth >= 1 ? flatten(item, depth - 1) : [item]));
}

function transpose(rows: readonly (readonly Value[])[], budget: Budget): Value[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  budget.make(width * rows.length);
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? null));
}

function indices(value: Value, wanted: Value, budget: Budget): number[] | null {
  if (value === null) return null;
  if (typeof value === 'string') {
    const [characters, part] = [runes(value), runes(asText(wanted))];
    return part.length === 0 ? null : placesOf(characters, part, (one, other) => one === other, budget);
  }
  const list = asList(value);
  const run = isJsonArray(wanted) ? wanted : [wanted];
  return run.length === 0 ? null : placesOf(list, run, (one, other) => compareValues(one, other, budget) === 0, budget);
}

function sorted(items: readonly Value[], keys: readonly Value[], budget: Budget): [Value, Value][] {
  const pairs = items.map((item, at): [Value, Value] => [item, keys[at] ?? null]);
  return pairs.sort(([, left], [, right]) => compareValues(left, right, budget));
}

function grouped(pairs: readonly (readonly [Value, Value])[], budget: Budget): Value[] {
  const groups: { key: Value; items: Value[] }[] = [];
  for (const [item, key] of pairs) {
    const last = groups.at(-1);
    if (last !== undefined && compareValues(last.key, key, budget) === 0) last.items.push(item);
    else groups.push({ key, items: [item] });
  }
  return groups.map(({ items }) => items);
}

function* matchText(args: Parameters<Native>[0], scope: Scope, input: Item): Items {
  const [given, flagsGiven, testGiven] = [0, 1, 2].map((at) => collect(arg(args, at), scope, input.value)[0] ?? null);
  const [pattern, listed] = isJsonArray(given ?? null) ? (given as Value[]) : [given];
  const flags = asText((listed ?? flagsGiven ?? '') as Value);
  if (/[^gimnpslx]/.test(flags)) raise(`unsupported regular expression flag: ${JSON.stringify(flags)}`);
  const prefix = `${flags.includes('i') ? 'i' : ''}${flags.includes('s') || flags.includes('p') ? 's' : ''}`;
  try {
    const regexp = compileRegexp(`${prefix === '' ? '' : `(?${prefix})`}${asText(pattern ?? null)}`, scope.budget);
    spendOnce(input.value, scope.budget);
    const characters = runes(asText(input.value));
    const found = regexp.findAll(characters, flags.includes('g') && testGiven !== true ? -1 : 1);
    const show = (match: readonly number[]): Value => describeMatch(match, regexp.names, characters, scope.budget);
    yield made(input, testGiven === true ? found.length > 0 : found.map(show));
  } catch (error) {
    if (error instanceof RegexpError) raise(error.message);
    if (error instanceof RangeError) throw new LimitError(error.message);
    throw error;
  }
}

function describeMatch(
  match: readonly number[],
  names: readonly (string | undefined)[],
  characters: readonly string[],
  budget: Budget,
): Value {
  const part = (at: number): [string, Value][] => {
    const [start = -1, end = -1] = [match[at * 2], match[at * 2 + 1]];
    budget.step();
    budget.make(end - start);
    return [
      ['offset', start],
      ['length', start < 0 ? 0 : end - start],
      ['string', start < 0 ? null : characters.slice(start, end).join('')],
    ];
  };
  const captures = names.slice(1).map((name, at) => fromFields([...part(at + 1), ['name', name ?? null]]));
  return fromFields([...part(0), ['captures', captures]]);
}
