import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import type { Budget } from '../budget.ts';
import { compareTexts } from '../go/value.ts';
import { PER_ITEM, PER_VALUE, spendOnce, spendOnText } from './weights.ts';

/** An object from its fields; `__proto__` is a field like others. */
export function fromFields(fields: Iterable<readonly [string, JsonValue]>): JsonObject {
  return Object.fromEntries(fields);
}

export function fieldOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Of what is raised, and of values in messages: they may be as long as a query likes. */
const MESSAGE_CHARACTERS_MAX = 1_000;

/** What a query raises; `value` is what `catch` sees. */
export class JqError extends Error {
  readonly value: JsonValue;

  constructor(value: JsonValue) {
    super(typeof value === 'string' ? value.slice(0, MESSAGE_CHARACTERS_MAX) : excerptOf(value, MESSAGE_CHARACTERS_MAX));
    this.value = value;
  }
}

/** A step into a value: a field, a place in a list, or a part of a list. */
export type JqStep = string | number | { readonly start: number | null; readonly end: number | null };

export function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  return typeof value === 'object' ? 'object' : typeof value;
}

export function isTruthy(value: JsonValue): boolean {
  return value !== null && value !== false;
}

const ORDER = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** The order of all values: by kind, then by size. */
export function compareValues(left: JsonValue, right: JsonValue, budget: Pick<Budget, 'step'>): number {
  budget.step(PER_VALUE);
  const byKind = ORDER.indexOf(kindOf(left)) - ORDER.indexOf(kindOf(right));
  if (byKind !== 0) return byKind;
  if (typeof left === 'string' && typeof right === 'string') {
    spendOnText(Math.min(left.length, right.length), budget);
    return compareTexts(left, right);
  }
  if (isJsonArray(left) && isJsonArray(right)) {
    for (const [at, item] of left.entries()) {
      if (at >= right.length) return 1;
      const order = compareValues(item, right[at] ?? null, budget);
      if (order !== 0) return order;
    }
    return left.length - right.length;
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    spendOnce(left, budget);
    spendOnce(right, budget);
    const [ours, theirs] = [sortedFields(left), sortedFields(right)];
    const byKeys = compareValues(ours, theirs, budget);
    if (byKeys !== 0) return byKeys;
    return compareValues(
      ours.map((key) => left[key] ?? null),
      theirs.map((key) => right[key] ?? null),
      budget,
    );
  }
  return Number(left) - Number(right);
}

export function sortedFields(value: JsonObject): string[] {
  return Object.keys(value).sort(compareTexts);
}

/** The items of a list or the values of an object, with the step to each. */
export function entriesOf(value: JsonValue, budget: Budget): (readonly [JqStep, JsonValue])[] {
  if (isJsonArray(value)) {
    budget.step(value.length * PER_VALUE);
    return value.map((item, at) => [at, item] as const);
  }
  spendOnce(value, budget);
  if (isJsonObject(value)) return sortedFields(value).map((key) => [key, value[key] ?? null] as const);
  throw new JqError(`cannot iterate over: ${describe(value)}`);
}

/** A value as messages name it, in a time that does not depend on how large it is. */
export function describe(value: JsonValue): string {
  const text = excerptOf(value, 31);
  return value === null ? 'null' : `${kindOf(value)} (${text.length > 30 ? `${text.slice(0, 27)} ...` : text})`;
}

/** The beginning of a value as JSON; all of it where that has no more characters than asked for. */
function excerptOf(value: JsonValue, charactersMax: number): string {
  if (charactersMax <= 0) return '';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, charactersMax));
  if (isJsonArray(value)) return `[${joinUpTo(value, charactersMax - 1, excerptOf)}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const print = (key: string, left: number): string => `${JSON.stringify(key.slice(0, left))}:${excerptOf(value[key] ?? null, left)}`;
  return `{${joinUpTo(firstKeysOf(value), charactersMax - 1, print)}}`;
}

const firstKeys = new WeakMap<JsonObject, readonly string[]>();

/** As many as any message can show. All are listed for that, so it is done once for an object however often it is named. */
function firstKeysOf(object: JsonObject): readonly string[] {
  const keys = firstKeys.get(object) ?? Object.keys(object).slice(0, MESSAGE_CHARACTERS_MAX);
  firstKeys.set(object, keys);
  return keys;
}

function joinUpTo<Part>(parts: readonly Part[], charactersMax: number, print: (part: Part, left: number) => string): string {
  let text = '';
  for (const [at, part] of parts.entries()) {
    if (text.length > charactersMax) break;
    text += `${at > 0 ? ',' : ''}${print(part, charactersMax - text.length)}`;
  }
  return text;
}

export function stepInto(value: JsonValue, step: JqStep, budget: Budget): JsonValue {
  if (value === null) return null;
  if (typeof step === 'string') {
    if (isJsonObject(value)) return fieldOf(value, step) ?? null;
    throw new JqError(`expected an object but got: ${describe(value)}`);
  }
  if (typeof step === 'number') {
    if (!isJsonArray(value)) throw new JqError(`expected an array but got: ${describe(value)}`);
    return value[Math.floor(step) < 0 ? value.length + Math.floor(step) : Math.floor(step)] ?? null;
  }
  if (typeof value === 'string') {
    spendOnce(value, budget);
    const part = sliceCharacters(value, step);
    budget.make(part.length);
    return part;
  }
  if (!isJsonArray(value)) throw new JqError(`expected an array or string but got: ${describe(value)}`);
  const [start, end] = sliceBounds(value.length, step);
  budget.make(end - start);
  return value.slice(start, end);
}

/** Where a run of items begins in a list. */
export function placesOf<Part>(
  list: readonly Part[],
  run: readonly Part[],
  isSame: (one: Part, other: Part) => boolean,
  { step }: Pick<Budget, 'step'>,
): number[] {
  const places: number[] = [];
  for (let at = 0; at + run.length <= list.length; at += 1) {
    const isHere = run.every((wanted, offset) => {
      step(PER_ITEM);
      return isSame(wanted, list[at + offset] as Part);
    });
    if (isHere) places.push(at);
  }
  return places;
}

function sliceCharacters(value: string, step: Exclude<JqStep, string | number>): string {
  const characters = Array.from(value);
  const [start, end] = sliceBounds(characters.length, step);
  return characters.slice(start, end).join('');
}

function sliceBounds(length: number, { start, end }: Exclude<JqStep, string | number>): [number, number] {
  const place = (wanted: number): number => {
    const at = wanted < 0 ? wanted + length : wanted;
    // Also for what is not a number, and would be a place nowhere.
    return at > 0 ? Math.min(length, at) : 0;
  };
  const from = place(Math.floor(start ?? 0));
  return [from, Math.max(from, place(Math.ceil(end ?? length)))];
}

/** The step that a value in brackets means. */
export function toStep(key: JsonValue): JqStep {
  if (typeof key === 'string' || typeof key === 'number') return key;
  if (isJsonObject(key)) {
    const [start, end] = [fieldOf(key, 'start') ?? null, fieldOf(key, 'end') ?? null];
    if ((start === null || typeof start === 'number') && (end === null || typeof end === 'number')) return { start, end };
  }
  throw new JqError(`invalid index: ${describe(key)}`);
}

/** The value with another one at a path; `change` gets what is there. Missing parts are made. */
export function updatePath(value: JsonValue, path: readonly JqStep[], change: (old: JsonValue) => JsonValue, budget: Budget): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  budget.step(path.length * PER_ITEM);
  spendOnce(value, budget);
  const made = updatePath(stepInto(value, step, budget), rest, change, budget);
  if (typeof step === 'string')
    return fromFields([...Object.entries(isJsonObject(value) ? value : {}).filter(([key]) => key !== step), [step, made]]);
  const list = isJsonArray(value) ? [...value] : [];
  if (typeof step === 'number') return withItem(list, Math.floor(step), made, budget);
  if (!isJsonArray(made)) throw new JqError('a slice of an array can only be assigned another array');
  const [start, end] = sliceBounds(list.length, step);
  return [...list.slice(0, start), ...made, ...list.slice(end)];
}

const LENGTH_MAX = 1 << 20;

function withItem(list: JsonValue[], wanted: number, item: JsonValue, budget: Budget): JsonValue {
  const at = wanted < 0 ? list.length + wanted : wanted;
  if (at < 0) throw new JqError('array index should not be negative');
  if (at > LENGTH_MAX) throw new JqError('array index too large');
  budget.make(Math.max(0, at - list.length));
  while (list.length < at) list.push(null);
  list[at] = item;
  return list;
}

type Path = readonly JqStep[];

/**
 * The value without what is at the paths; the value itself where nothing is. All go at once: each list and object on the way is copied once,
 * and places in a list are those that it had before.
 */
export function deletePaths(value: JsonValue, paths: readonly Path[], budget: Budget): JsonValue {
  if (paths.length === 0) return value;
  for (const { length } of paths) budget.step(PER_VALUE + length * PER_ITEM);
  if (value === null || paths.some(isEnd)) return null;
  if (isJsonObject(value)) return deleteFields(value, paths, budget);
  if (isJsonArray(value)) return deleteItems(value, paths, budget);
  throw new JqError(`expected an ${typeof paths[0]?.[0] === 'string' ? 'object' : 'array'} but got: ${describe(value)}`);
}

function deleteFields(object: JsonObject, paths: readonly Path[], budget: Budget): JsonObject {
  spendOnce(object, budget);
  const inside = new Map<string, Path[]>();
  for (const [step, ...rest] of paths) {
    if (typeof step !== 'string') throw new JqError(`expected an array but got: ${describe(object)}`);
    addTo(inside, step, rest);
  }
  const fields: [string, JsonValue][] = [];
  let isSame = true;
  for (const [key, item] of Object.entries(object)) {
    const left = leftOf(item, inside.get(key), budget);
    isSame &&= left === item;
    if (left !== undefined) fields.push([key, left]);
  }
  return isSame ? object : fromFields(fields);
}

function deleteItems(list: readonly JsonValue[], paths: readonly Path[], budget: Budget): JsonValue {
  spendOnce(list, budget);
  const inside = new Map<number, Path[]>();
  for (const path of paths) {
    const { start, end, rest } = placesIn(list, path);
    budget.step((end - start) * PER_VALUE);
    for (let at = start; at < end; at += 1) addTo(inside, at, rest);
  }
  const items: JsonValue[] = [];
  let isSame = true;
  for (const [at, item] of list.entries()) {
    const left = leftOf(item, inside.get(at), budget);
    isSame &&= left === item;
    if (left !== undefined) items.push(left);
  }
  return isSame ? list : items;
}

/** What is left of an item with the paths that lead into it; undefined where it goes itself. */
function leftOf(item: JsonValue, paths: readonly Path[] | undefined, budget: Budget): JsonValue | undefined {
  if (paths === undefined) return item;
  return paths.some(isEnd) ? undefined : deletePaths(item, paths, budget);
}

function isEnd({ length }: Path): boolean {
  return length === 0;
}

function addTo<Key>(inside: Map<Key, Path[]>, key: Key, path: Path): void {
  const known = inside.get(key);
  if (known === undefined) inside.set(key, [path]);
  else known.push(path);
}

interface ListPart {
  readonly start: number;
  readonly end: number;
  readonly rest: Path;
}

/** Which items of a list a path leads to, and how it goes on in each: one of them, or all of a part. It may name a part of a part, and so on. */
function placesIn(list: readonly JsonValue[], path: Path): ListPart {
  let [start, end] = [0, list.length];
  for (const [at, step] of path.entries()) {
    if (typeof step === 'number') {
      const place = Math.floor(step) < 0 ? end + Math.floor(step) : start + Math.floor(step);
      const isThere = place >= start && place < end;
      return isThere ? { start: place, end: place + 1, rest: path.slice(at + 1) } : { start: 0, end: 0, rest: [] };
    }
    if (typeof step !== 'object') throw new JqError(`expected an object but got: ${describe(list)}`);
    const [from, to] = sliceBounds(end - start, step);
    [start, end] = [start + from, start + to];
  }
  return { start, end, rest: [] };
}
