import { compileRegexp, RegexpError } from '../../base/index.ts';
import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonValue } from '../../objects/index.ts';
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
  sortedFields,
  stepInto,
  toStep,
  updatePath,
} from './values.ts';
import type { JqStep } from './values.ts';

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
    tojson: toJqJson,
    tostring: toJqText,
    fromjson: parseText,
    tonumber: toNumber,
    reverse: (value) => (value === null ? [] : typeof value === 'string' ? runes(value).toReversed().join('') : asList(value).toReversed()),
    sort: (value) => [...asList(value)].sort(compareValues),
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
    flatten: (value) => flatten(value, Infinity),
    transpose: (value) => transpose(asList(value).map(asList)),
    infinite: () => Number.MAX_VALUE,
  }),
  ...values1({
    has: (value, key) => hasKey(value, key),
    contains: (value, other) => contains(value, other),
    startswith: (value, start) => asText(value).startsWith(asText(start)),
    endswith: (value, end) => asText(value).endsWith(asText(end)),
    ltrimstr: (value, start) =>
      typeof value === 'string' && typeof start === 'string' && value.startsWith(start) ? value.slice(start.length) : value,
    rtrimstr: (value, end) =>
      typeof value === 'string' && typeof end === 'string' && end !== '' && value.endsWith(end) ? value.slice(0, -end.length) : value,
    split: (value, separator) => calculate('/', asText(value), asText(separator), { step: () => undefined, make: () => undefined }),
    join: (value, separator) => joinTexts(value, separator),
    flatten: (value, depth) => flatten(value, asDepth(depth)),
    delpaths: (value, paths) => deletePaths(value, asList(paths).map(asPath)),
    indices: (value, wanted) => indices(value, wanted),
    index: (value, wanted) => (indices(value, wanted) as Value[] | null)?.[0] ?? null,
    rindex: (value, wanted) => (indices(value, wanted) as Value[] | null)?.at(-1) ?? null,
    format: (value, name) => formatText(asText(name), value),
    _sort_by: (value, keys) => sorted(asList(value), asList(keys)).map(([item]) => item),
    _group_by: (value, keys) => grouped(sorted(asList(value), asList(keys))),
    _min_by: (value, keys) => sorted(asList(value), asList(keys))[0]?.[0] ?? null,
    _max_by: (value, keys) => sorted(asList(value), asList(keys)).at(-1)?.[0] ?? null,
  }),
  [
    'setpath/2',
    function* (args, scope, input) {
      for (const { value: path } of argument(args, 0, scope, input))
        for (const { value } of argument(args, 1, scope, input))
          yield made(
            input,
            updatePath(input.value, asPath(path), () => value),
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

function values0(table: Readonly<Record<string, (value: Value) => Value>>): [string, Native][] {
  return Object.entries(table).map(([name, call]) => [
    `${name}/0`,
    function* (_, scope, input) {
      const result = call(input.value);
      spend(scope, result);
      yield made(input, result);
    },
  ]);
}

function values1(table: Readonly<Record<string, (value: Value, other: Value) => Value>>): [string, Native][] {
  return Object.entries(table).map(([name, call]) => [
    `${name}/1`,
    function* (args, scope, input) {
      for (const { value } of argument(args, 0, scope, input)) {
        const result = call(input.value, value);
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
    for (const to of asPath(value)) item = step(item, to, stepInto(item.value, to));
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

function parseText(value: Value): Value {
  try {
    return JSON.parse(asText(value)) as Value;
  } catch (error) {
    if (error instanceof SyntaxError) return raise(`fromjson cannot be applied to: ${describe(value)}`);
    throw error;
  }
}

function toNumber(value: Value): Value {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(value)) return Number(value);
  return raise(`tonumber cannot be applied to: ${describe(value)}`);
}

function hasKey(value: Value, key: Value): boolean {
  if (isJsonArray(value) && typeof key === 'number') return key >= 0 && key < value.length;
  if (isJsonObject(value) && typeof key === 'string') return Object.hasOwn(value, key);
  return raise(`has cannot be applied to: ${describe(value)}`);
}

function contains(value: Value, other: Value): boolean {
  if (isJsonObject(value) && isJsonObject(other))
    return Object.keys(other).every((key) => Object.hasOwn(value, key) && contains(fieldOf(value, key) ?? null, other[key] ?? null));
  if (isJsonArray(value) && isJsonArray(other))
    return other.every((wanted) => value.some((item) => kindOf(item) === kindOf(wanted) && contains(item, wanted)));
  if (typeof value === 'string' && typeof other === 'string') return value.includes(other);
  if (kindOf(value) === kindOf(other)) return value === other;
  return raise(`contains cannot be applied to: ${describe(value)}`);
}

function joinTexts(value: Value, separator: Value): Value {
  const items = asList(value);
  if (items.length === 0) return '';
  const glue = asText(separator);
  return items
    .map((item) => (item === null ? '' : typeof item === 'object' ? raise(`cannot join: ${describe(item)}`) : toJqText(item)))
    .join(glue);
}

function flatten(value: Value, depth: number): Value[] {
  const items = isJsonObject(value) ? sortedFields(value).map((key) => value[key] ?? null) : asList(value);
  return items.flatMap((item) => (isJsonArray(item) && depth >= 1 ? flatten(item, depth - 1) : [item]));
}

function transpose(rows: readonly (readonly Value[])[]): Value[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? null));
}

function indices(value: Value, wanted: Value): Value {
  if (value === null) return null;
  if (typeof value === 'string') {
    const [characters, part] = [runes(value), runes(asText(wanted))];
    if (part.length === 0) return null;
    return characters.flatMap((_, at) => (part.every((character, offset) => characters[at + offset] === character) ? [at] : []));
  }
  const list = asList(value);
  const run = isJsonArray(wanted) ? wanted : [wanted];
  if (run.length === 0) return null;
  return list.flatMap((_, at) =>
    run.every((item, offset) => at + offset < list.length && compareValues(item, list[at + offset] ?? null) === 0) ? [at] : [],
  );
}

function sorted(items: readonly Value[], keys: readonly Value[]): [Value, Value][] {
  return items.map((item, at): [Value, Value] => [item, keys[at] ?? null]).sort(([, left], [, right]) => compareValues(left, right));
}

function grouped(pairs: readonly (readonly [Value, Value])[]): Value[] {
  const groups: { key: Value; items: Value[] }[] = [];
  for (const [item, key] of pairs) {
    const last = groups.at(-1);
    if (last !== undefined && compareValues(last.key, key) === 0) last.items.push(item);
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
    const characters = runes(asText(input.value));
    const found = regexp.findAll(characters, flags.includes('g') && testGiven !== true ? -1 : 1);
    yield made(input, testGiven === true ? found.length > 0 : found.map((match) => describeMatch(match, regexp.names, characters)));
  } catch (error) {
    if (error instanceof RegexpError) raise(error.message);
    if (error instanceof RangeError) throw new LimitError(error.message);
    throw error;
  }
}

function describeMatch(match: readonly number[], names: readonly (string | undefined)[], characters: readonly string[]): Value {
  const part = (at: number): [string, Value][] => {
    const [start = -1, end = -1] = [match[at * 2], match[at * 2 + 1]];
    return [
      ['offset', start],
      ['length', start < 0 ? 0 : end - start],
      ['string', start < 0 ? null : characters.slice(start, end).join('')],
    ];
  };
  const captures = names.slice(1).map((name, at) => fromFields([...part(at + 1), ['name', name ?? null]]));
  return fromFields([...part(0), ['captures', captures]]);
}
