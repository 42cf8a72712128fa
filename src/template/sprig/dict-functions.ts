import { define, GoError } from '../go/go-function.ts';
import { GoList, GoMap, sortedKeys, strings, typeOf } from '../go/value.ts';
import type { GoAny, GoFunction } from '../go/value.ts';
import { weigh, weighOnce } from '../go/weigh.ts';
import { deepCopy, isDeepEqual, isUnset, kindName, toText } from './convert.ts';
import type { FunctionContext, NamedFunctions } from './environment.ts';

/** How deep maps are merged and copied. */
const DEPTH_MAX = 500;

export function dictFunctions({ budget }: FunctionContext): NamedFunctions {
  return [
    ['dict', define('...any', (...values: GoAny[]) => makeDict(values, budget.step))],
    ['get', define('dict, string', (map: GoMap, key: string) => (map.entries.has(key) ? (map.entries.get(key) ?? null) : ''))],
    ['set', define('dict, string, any', (map: GoMap, key: string, value: GoAny) => setKey(map, key, value, budget.step))],
    ['unset', define('dict, string', (map: GoMap, key: string) => (map.entries.delete(key), map))],
    ['hasKey', define('dict, string', (map: GoMap, key: string) => map.entries.has(key))],
    [
      'pluck',
      define(
        'string, ...dict',
        (key: string, ...maps: GoMap[]) =>
          new GoList(maps.filter((map) => map.entries.has(key)).map((map) => map.entries.get(key) ?? null)),
      ),
    ],
    // Go gives these in no order; ours is the sorted one, so that the same data always give the same text.
    ['keys', define('...dict', (...maps: GoMap[]) => strings(maps.flatMap(sortedKeys)))],
    ['values', define('dict', (map: GoMap) => new GoList(sortedKeys(map).map((key) => map.entries.get(key) ?? null)))],
    ['pick', define('dict, ...string', (map: GoMap, ...keys: string[]) => filterKeys(map, new Set(keys), true))],
    ['omit', define('dict, ...string', (map: GoMap, ...keys: string[]) => filterKeys(map, new Set(keys), false))],
    ...twice(
      'merge',
      define('dict, ...dict', (map: GoMap, ...others: GoMap[]) => mergeAll(map, others, { overwrite: false, step: budget.step })),
    ),
    ...twice(
      'mergeOverwrite',
      define('dict, ...dict', (map: GoMap, ...others: GoMap[]) => mergeAll(map, others, { overwrite: true, step: budget.step })),
    ),
    ['dig', define('...any', dig)],
    ...twice(
      'deepCopy',
      define('any', (value: GoAny) => deepCopy(value)),
    ),
    ['deepEqual', define('any, any', (left: GoAny, right: GoAny) => isDeepEqual(left, right))],
    ['typeOf', define('any', (value: GoAny) => typeOf(value))],
    ['typeIs', define('string, any', (type: string, value: GoAny) => type === typeOf(value))],
    ['typeIsLike', define('string, any', (type: string, value: GoAny) => type === typeOf(value) || `*${type}` === typeOf(value))],
    ['kindOf', define('any', kindName)],
    ['kindIs', define('string, any', (kind: string, value: GoAny) => kind === kindName(value))],
  ];
}

function twice(name: string, made: GoFunction): NamedFunctions {
  return [
    [name, made],
    [`must${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, made],
  ];
}

type Step = (count?: number) => void;

function makeDict(values: readonly GoAny[], step: Step): GoMap {
  const entries = new Map<string, GoAny>();
  for (let at = 0; at < values.length; at += 2) {
    const key = values[at] ?? null;
    weigh(key, step);
    entries.set(toText(key), at + 1 < values.length ? (values[at + 1] ?? null) : '');
  }
  return new GoMap(entries);
}

function setKey(map: GoMap, key: string, value: GoAny, step: Step): GoMap {
  if (map.isNil) throw new GoError('assignment to entry in nil map');
  if (value !== null && reaches(value, { map, step }, 0)) throw new GoError('a value cannot be put into itself');
  map.entries.set(key, value);
  return map;
}

/** Go would print a value that holds itself until its stack ends. */
function reaches(value: GoAny, wanted: { readonly map: GoMap; readonly step: Step }, depth: number): boolean {
  if (value === wanted.map || depth > DEPTH_MAX) return true;
  if (!(value instanceof GoList) && !(value instanceof GoMap)) return false;
  wanted.step();
  weighOnce(value, wanted.step);
  if (value instanceof GoList) return value.items.some((item) => reaches(item, wanted, depth + 1));
  return [...value.entries.values()].some((item) => reaches(item, wanted, depth + 1));
}

/** The entries whose keys are among those that are named, or the others. */
function filterKeys(map: GoMap, named: ReadonlySet<string>, isKept: boolean): GoMap {
  return new GoMap(new Map([...map.entries].filter(([key]) => named.has(key) === isKept)));
}

interface MergeRules {
  readonly overwrite: boolean;
  readonly step: Step;
}

function mergeAll(map: GoMap, others: readonly GoMap[], rules: MergeRules): GoMap {
  for (const other of others) mergeInto(map, other, rules, 0);
  return map;
}

function mergeInto(map: GoMap, other: GoMap, rules: MergeRules, depth: number): void {
  if (map === other || depth > DEPTH_MAX) return;
  rules.step(other.entries.size);
  for (const [key, value] of other.entries) {
    const own = map.entries.get(key) ?? null;
    if (value === null) {
      if (rules.overwrite) map.entries.set(key, null);
      continue;
    }
    if (value instanceof GoMap && own instanceof GoMap && !isUnset(own)) {
      mergeInto(own, value, rules, depth + 1);
      continue;
    }
    if (rules.overwrite || isUnset(own)) {
      // What holds the map itself cannot go into it.
      if (!reaches(value, { map, step: rules.step }, 0)) map.entries.set(key, value);
    }
  }
}

function dig(...args: GoAny[]): GoAny {
  if (args.length < 3) throw new GoError('dig needs at least three arguments');
  let value: GoAny = args.at(-1) ?? null;
  const keys = args.slice(0, -2).map((key) => {
    if (typeof key !== 'string') throw new GoError(conversion(key, 'string'));
    return key;
  });
  for (const key of keys) {
    if (!(value instanceof GoMap) || value.element !== 'interface {}') throw new GoError(conversion(value, 'map[string]interface {}'));
    if (!value.entries.has(key)) return args.at(-2) ?? null;
    value = value.entries.get(key) ?? null;
  }
  return value;
}

function conversion(value: GoAny, type: string): string {
  return `interface conversion: interface {} is ${value === null ? 'nil' : typeOf(value)}, not ${type}`;
}
