import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from '../../objects/index.ts';
import type { Budget } from '../budget.ts';
import { TemplateError } from '../template-error.ts';
import { requireBoolean, requireNumber, requireText } from './operators.ts';

type Values = readonly JsonValue[];
type Evaluate = (element: JsonValue) => JsonValue;

const test =
  (evaluate: Evaluate): ((element: JsonValue) => boolean) =>
  (element) =>
    requireBoolean(evaluate(element));

/** Functions that look at each element of a list. */
export const PREDICATES: ReadonlyMap<string, (list: JsonArray, evaluate: Evaluate) => JsonValue> = new Map(
  Object.entries({
    all: (list: JsonArray, evaluate: Evaluate) => list.every(test(evaluate)),
    any: (list: JsonArray, evaluate: Evaluate) => list.some(test(evaluate)),
    none: (list: JsonArray, evaluate: Evaluate) => !list.some(test(evaluate)),
    one: (list: JsonArray, evaluate: Evaluate) => list.filter(test(evaluate)).length === 1,
    count: (list: JsonArray, evaluate: Evaluate) => list.filter(test(evaluate)).length,
    filter: (list: JsonArray, evaluate: Evaluate) => list.filter(test(evaluate)),
    map: (list: JsonArray, evaluate: Evaluate) => list.map(evaluate),
    find: (list: JsonArray, evaluate: Evaluate) => list.find(test(evaluate)) ?? null,
    findIndex: (list: JsonArray, evaluate: Evaluate) => list.findIndex(test(evaluate)),
  }),
);

function define(run: (values: Values, budget: Budget) => JsonValue): (values: Values, budget: Budget) => JsonValue {
  return run;
}

/** Functions of values. */
export const FUNCTIONS: ReadonlyMap<string, (values: Values, budget: Budget) => JsonValue> = new Map(
  Object.entries({
    len: define(([value = null]) => lengthOf(value)),
    lower: define(([text]) => requireText(text).toLowerCase()),
    upper: define(([text]) => requireText(text).toUpperCase()),
    trim: define(([text]) => requireText(text).trim()),
    trimPrefix: define(([text, prefix]) => withoutPrefix(requireText(text), requireText(prefix))),
    trimSuffix: define(([text, suffix]) => withoutSuffix(requireText(text), requireText(suffix))),
    hasPrefix: define(([text, prefix]) => requireText(text).startsWith(requireText(prefix))),
    hasSuffix: define(([text, suffix]) => requireText(text).endsWith(requireText(suffix))),
    indexOf: define(([text, part]) => requireText(text).indexOf(requireText(part))),
    split: define(([text, separator]) => requireText(text).split(requireText(separator))),
    join: define(([list = null, separator = '']) => joinTexts(list, requireText(separator))),
    replace: define(([text, old, next]) => requireText(text).split(requireText(old)).join(requireText(next))),
    string: define(([value = null]) => (typeof value === 'string' ? value : JSON.stringify(value))),
    int: define(([value]) => Math.trunc(toNumber(value))),
    float: define(([value]) => toNumber(value)),
    abs: define(([value]) => Math.abs(requireNumber(value))),
    ceil: define(([value]) => Math.ceil(requireNumber(value))),
    floor: define(([value]) => Math.floor(requireNumber(value))),
    round: define(([value]) => Math.round(requireNumber(value))),
    max: define((values) => Math.max(...values.flatMap(numbersOf))),
    min: define((values) => Math.min(...values.flatMap(numbersOf))),
    sum: define(([list = null]) => numbersOf(list).reduce((one, other) => one + other, 0)),
    first: define(([list = null]) => listOf(list)[0] ?? null),
    last: define(([list = null]) => listOf(list).at(-1) ?? null),
    keys: define(([value = null]) => (isJsonObject(value) ? Object.keys(value) : [])),
    values: define(([value = null]) => (isJsonObject(value) ? Object.values(value) : [])),
    toJSON: define(([value = null]) => JSON.stringify(value)),
    type: define(([value = null]) => typeName(value)),
  }),
);

function lengthOf(value: JsonValue): number {
  if (typeof value === 'string') return Array.from(value).length;
  if (isJsonArray(value)) return value.length;
  if (isJsonObject(value)) return Object.keys(value).length;
  throw new TemplateError('only texts, lists and maps have a length');
}

function withoutPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

function withoutSuffix(text: string, suffix: string): string {
  return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
}

function joinTexts(list: JsonValue, separator: string): string {
  return listOf(list).map(requireText).join(separator);
}

function listOf(value: JsonValue): JsonArray {
  if (isJsonArray(value)) return value;
  throw new TemplateError('a list is needed');
}

function numbersOf(value: JsonValue): readonly number[] {
  return isJsonArray(value) ? value.map(requireNumber) : [requireNumber(value)];
}

function toNumber(value: JsonValue | undefined): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && !Number.isNaN(number)) return number;
  throw new TemplateError('that is no number');
}

function typeName(value: JsonValue): string {
  if (value === null) return 'nil';
  if (isJsonArray(value)) return 'array';
  if (isJsonObject(value)) return 'map';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
