import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import { compareTexts } from '../go/value.ts';

/** An object from its fields; `__proto__` is a field like others. */
export function fromFields(fields: Iterable<readonly [string, JsonValue]>): JsonObject {
  return Object.fromEntries(fields);
}

export function fieldOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** What a query raises; `value` is what `catch` sees. */
export class JqError extends Error {
  readonly value: JsonValue;

  constructor(value: JsonValue) {
    super(typeof value === 'string' ? value : JSON.stringify(value));
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
export function compareValues(left: JsonValue, right: JsonValue): number {
  const byKind = ORDER.indexOf(kindOf(left)) - ORDER.indexOf(kindOf(right));
  if (byKind !== 0) return byKind;
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  if (isJsonArray(left) && isJsonArray(right)) {
    for (const [at, item] of left.entries()) {
      if (at >= right.length) return 1;
      const order = compareValues(item, right[at] ?? null);
      if (order !== 0) return order;
    }
    return left.length - right.length;
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const [ours, theirs] = [sortedFields(left), sortedFields(right)];
    const byKeys = compareValues(ours, theirs);
    if (byKeys !== 0) return byKeys;
    return compareValues(
      ours.map((key) => left[key] ?? null),
      theirs.map((key) => right[key] ?? null),
    );
  }
  return Number(left) - Number(right);
}

export function sortedFields(value: JsonObject): string[] {
  return Object.keys(value).sort(compareTexts);
}

/** The items of a list or the values of an object, with the step to each. */
export function entriesOf(value: JsonValue): (readonly [JqStep, JsonValue])[] {
  if (isJsonArray(value)) return value.map((item, at) => [at, item] as const);
  if (isJsonObject(value)) return sortedFields(value).map((key) => [key, value[key] ?? null] as const);
  throw new JqError(`cannot iterate over: ${describe(value)}`);
}

export function describe(value: JsonValue): string {
  const text = JSON.stringify(value);
  return value === null ? 'null' : `${kindOf(value)} (${text.length > 30 ? `${text.slice(0, 27)} ...` : text})`;
}

export function stepInto(value: JsonValue, step: JqStep): JsonValue {
  if (value === null) return null;
  if (typeof step === 'string') {
    if (isJsonObject(value)) return fieldOf(value, step) ?? null;
    throw new JqError(`expected an object but got: ${describe(value)}`);
  }
  if (typeof step === 'number') {
    if (isJsonArray(value)) return value[Math.floor(step) < 0 ? value.length + Math.floor(step) : Math.floor(step)] ?? null;
    throw new JqError(`expected an array but got: ${describe(value)}`);
  }
  if (typeof value === 'string') return sliceCharacters(value, step);
  if (!isJsonArray(value)) throw new JqError(`expected an array or string but got: ${describe(value)}`);
  const [start, end] = sliceBounds(value.length, step);
  return value.slice(start, end);
}

function sliceCharacters(value: string, step: Exclude<JqStep, string | number>): string {
  const characters = Array.from(value);
  const [start, end] = sliceBounds(characters.length, step);
  return characters.slice(start, end).join('');
}

function sliceBounds(length: number, { start, end }: Exclude<JqStep, string | number>): [number, number] {
  const place = (wanted: number): number => Math.min(length, Math.max(0, wanted < 0 ? wanted + length : wanted));
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
export function updatePath(value: JsonValue, path: readonly JqStep[], change: (old: JsonValue) => JsonValue): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  const made = updatePath(stepInto(value, step), rest, change);
  if (typeof step === 'string')
    return fromFields([...Object.entries(isJsonObject(value) ? value : {}).filter(([key]) => key !== step), [step, made]]);
  const list = isJsonArray(value) ? [...value] : [];
  if (typeof step === 'number') return withItem(list, Math.floor(step), made);
  if (!isJsonArray(made)) throw new JqError('a slice of an array can only be assigned another array');
  const [start, end] = sliceBounds(list.length, step);
  return [...list.slice(0, start), ...made, ...list.slice(end)];
}

const LENGTH_MAX = 1 << 20;

function withItem(list: JsonValue[], wanted: number, item: JsonValue): JsonValue {
  const at = wanted < 0 ? list.length + wanted : wanted;
  if (at < 0) throw new JqError('array index should not be negative');
  if (at > LENGTH_MAX) throw new JqError('array index too large');
  while (list.length < at) list.push(null);
  list[at] = item;
  return list;
}

/** The value without what is at the paths. */
export function deletePaths(value: JsonValue, paths: readonly (readonly JqStep[])[]): JsonValue {
  const last = [...paths].sort((left, right) => compareValues(right as JsonValue, left as JsonValue));
  return last.reduce<JsonValue>((rest, path) => deletePath(rest, path), value);
}

function deletePath(value: JsonValue, path: readonly JqStep[]): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined || value === null) return null;
  if (rest.length === 0) return deleteStep(value, step);
  const inner = stepInto(value, step);
  if (inner === null) return value;
  const made = deletePath(inner, rest);
  return made === inner ? value : updatePath(value, [step], () => made);
}

function deleteStep(value: JsonValue, step: JqStep): JsonValue {
  if (typeof step === 'string') {
    if (!isJsonObject(value)) throw new JqError(`expected an object but got: ${describe(value)}`);
    return Object.hasOwn(value, step) ? fromFields(Object.entries(value).filter(([key]) => key !== step)) : value;
  }
  if (!isJsonArray(value)) throw new JqError(`expected an array but got: ${describe(value)}`);
  if (typeof step === 'number') {
    const at = Math.floor(step) < 0 ? value.length + Math.floor(step) : Math.floor(step);
    return at >= 0 && at < value.length ? value.toSpliced(at, 1) : value;
  }
  const [start, end] = sliceBounds(value.length, step);
  return [...value.slice(0, start), ...value.slice(end)];
}
