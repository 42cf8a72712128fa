import { callFunction } from '../call.ts';
import { expectArray, expectBoolean, expectFunction, expectInteger, expectText } from '../expect.ts';
import { toText } from '../manifest-json.ts';
import { JsonnetObject } from '../object.ts';
import { equals, joinTexts, plus } from '../operators.ts';
import type { Runtime } from '../runtime.ts';
import { sliceValue } from '../slice.ts';
import { codePoints, textLength } from '../text.ts';
import { delay, force, JsonnetArray, JsonnetFunction, typeOf } from '../value.ts';
import type { Slot, Value } from '../value.ts';
import { lazyNative, native } from './native.ts';
import type { Native } from './native.ts';

export const arrayFunctions: readonly Native[] = [
  native('length', 'x', lengthOf),
  native('makeArray', 'sz, func', (runtime, size, work) => {
    const [count, each] = [expectInteger(runtime, size), expectFunction(runtime, work)];
    return makeArray(runtime, count, (at) => callFunction(runtime, each, at));
  }),
  native('range', 'from, to', (runtime, from, to) => {
    const [first, last] = [expectInteger(runtime, from), expectInteger(runtime, to)];
    const count = Math.max(0, last - first + 1);
    runtime.makeList(count);
    return new JsonnetArray(Array.from({ length: count }, (_, at) => first + at));
  }),
  native('repeat', 'what, count', (runtime, what, count) => {
    if (typeof what !== 'string' && !(what instanceof JsonnetArray))
      throw runtime.fail('std.repeat first argument must be an array or a string');
    const times = Math.max(0, expectInteger(runtime, count));
    if (typeof what === 'string') {
      runtime.makeText(what.length * times);
      return what.repeat(times);
    }
    runtime.makeList(Math.max(times, what.slots.length * times));
    return new JsonnetArray(Array.from({ length: times }, () => what.slots).flat());
  }),
  native('slice', 'indexable, index, end, step', (runtime, target, index, end, step) => sliceValue(runtime, target, [index, end, step])),
  native('reverse', 'arr', (runtime, array) => new JsonnetArray(expectArray(runtime, array).slots.toReversed())),
  native('map', 'func, arr', (runtime, work, list) => mapList(runtime, 'map', 'array / string', work, list)),
  native('mapWithIndex', 'func, arr', (runtime, work, list) => mapList(runtime, 'mapWithIndex', 'array', work, list)),
  native('flatMap', 'func, arr', flatMap),
  native('filter', 'func, arr', filter),
  native('filterMap', 'filter_func, map_func, arr', (runtime, keep, work, list) => {
    if (!(keep instanceof JsonnetFunction)) throw runtime.fail(`std.filterMap first param must be function, got ${typeOf(keep)}`);
    if (!(work instanceof JsonnetFunction)) throw runtime.fail(`std.filterMap second param must be function, got ${typeOf(work)}`);
    if (!(list instanceof JsonnetArray)) throw runtime.fail(`std.filterMap third param must be array, got ${typeOf(list)}`);
    return mapList(runtime, 'map', 'array / string', work, filter(runtime, keep, list));
  }),
  native('foldl', 'func, arr, init', (runtime, work, list, initial) => {
    const each = expectFunction(runtime, work);
    return foldSlots(runtime, 'foldl', list).reduce<Value>((made, slot) => callFunction(runtime, each, made, slot), initial);
  }),
  native('foldr', 'func, arr, init', (runtime, work, list, initial) => {
    const each = expectFunction(runtime, work);
    return foldSlots(runtime, 'foldr', list).reduceRight<Value>((made, slot) => callFunction(runtime, each, slot, made), initial);
  }),
  native('join', 'sep, arr', (runtime, separator, list) => join(runtime, separator, expectArray(runtime, list).slots)),
  native('lines', 'arr', (runtime, list) => join(runtime, '\n', [...expectArray(runtime, list).slots, ''])),
  native('deepJoin', 'arr', deepJoin),
  native('flattenArrays', 'arrs', (runtime, lists) =>
    foldSlots(runtime, 'foldl', lists).reduce<Value>((made, slot) => plus(runtime, made, force(slot)), new JsonnetArray([])),
  ),
  native('flattenDeepArray', 'value', (runtime, value) => {
    const flat: Slot[] = [];
    flattenInto(runtime, value, flat);
    return new JsonnetArray(flat);
  }),
  native('member', 'arr, x', (runtime, list, wanted) => {
    if (typeof list === 'string') return list.includes(expectText(runtime, wanted));
    if (!(list instanceof JsonnetArray)) throw runtime.fail('std.member first argument must be an array or a string');
    return indexOf(runtime, list, wanted) >= 0;
  }),
  native('contains', 'arr, elem', (runtime, list, wanted) => indexOf(runtime, expectArray(runtime, list), wanted) >= 0),
  lazyNative(
    'count',
    'arr, x',
    (runtime, list = null, wanted = null) => findAll(runtime, expectArray(runtime, force(list)), wanted).length,
  ),
  lazyNative('find', 'value, arr', (runtime, wanted = null, list = null) => {
    const array = force(list);
    if (!(array instanceof JsonnetArray)) throw runtime.fail(`find second parameter should be an array, got ${typeOf(array)}`);
    return new JsonnetArray(findAll(runtime, array, wanted));
  }),
  native('remove', 'arr, elem', (runtime, list, wanted) => {
    const array = expectArray(runtime, list);
    const at = indexOf(runtime, array, wanted);
    return at < 0 ? array : new JsonnetArray(array.slots.toSpliced(at, 1));
  }),
  native('removeAt', 'arr, i', (runtime, list, index) => {
    const { slots } = expectArray(runtime, list);
    const at = expectInteger(runtime, index);
    if (at < 0 || at >= slots.length) throw runtime.fail(`Index ${at} out of bounds, not within [0, ${slots.length})`);
    return new JsonnetArray(slots.toSpliced(at, 1));
  }),
  native('all', 'arr', (runtime, list) => booleans(runtime, 'all', list, false) === undefined),
  native('any', 'arr', (runtime, list) => booleans(runtime, 'any', list, true) !== undefined),
  native('sum', 'arr', (runtime, list) => sum(runtime, list)),
  native('avg', 'arr', (runtime, list) => {
    const { length } = expectArray(runtime, list).slots;
    if (length === 0) throw runtime.fail('Cannot calculate average of an empty array.');
    return sum(runtime, list) / length;
  }),
];

export function lengthOf(runtime: Runtime, value: Value): number {
  if (typeof value === 'string') return textLength(value);
  if (value instanceof JsonnetArray) return value.slots.length;
  if (value instanceof JsonnetObject) return value.names(false).length;
  if (value instanceof JsonnetFunction) return value.parameters.filter(({ isOptional }) => !isOptional).length;
  throw runtime.fail(`Unexpected type ${typeOf(value)}`);
}

export function makeArray(runtime: Runtime, count: number, element: (at: number) => Value): JsonnetArray {
  runtime.makeList(Math.max(0, count));
  return new JsonnetArray(Array.from({ length: Math.max(0, count) }, (_, at) => delay(runtime, () => element(at))));
}

function mapList(runtime: Runtime, name: 'map' | 'mapWithIndex', wanted: string, work: Value, list: Value): Value {
  if (!(work instanceof JsonnetFunction)) throw runtime.fail(`std.${name} first param must be function, got ${typeOf(work)}`);
  if (typeof list !== 'string' && !(list instanceof JsonnetArray))
    throw runtime.fail(`std.${name} second param must be ${wanted}, got ${typeOf(list)}`);
  const slots = typeof list === 'string' ? codePoints(list) : list.slots;
  return makeArray(runtime, slots.length, (at) =>
    name === 'map' ? callFunction(runtime, work, slots[at] ?? null) : callFunction(runtime, work, at, slots[at] ?? null),
  );
}

function flatMap(runtime: Runtime, work: Value, list: Value): Value {
  const each = expectFunction(runtime, work);
  if (typeof list === 'string') {
    let text = '';
    for (const character of codePoints(list)) text = joinTexts(runtime, text, expectText(runtime, callFunction(runtime, each, character)));
    return text;
  }
  if (!(list instanceof JsonnetArray)) throw runtime.fail(`std.flatMap second param must be array / string, got ${typeOf(list)}`);
  const flat: Slot[] = [];
  for (const slot of list.slots) {
    const { slots } = expectArray(runtime, callFunction(runtime, each, slot));
    runtime.makeList(flat.length + slots.length, slots.length);
    for (const item of slots) flat.push(item);
  }
  return new JsonnetArray(flat);
}

function filter(runtime: Runtime, work: Value, list: Value): JsonnetArray {
  const { slots } = expectArray(runtime, list);
  const keep = expectFunction(runtime, work);
  runtime.makeList(slots.length);
  return new JsonnetArray(slots.filter((slot) => expectBoolean(runtime, callFunction(runtime, keep, slot))));
}

function foldSlots(runtime: Runtime, name: string, list: Value): readonly Slot[] {
  if (typeof list === 'string') return codePoints(list);
  if (list instanceof JsonnetArray) return list.slots;
  throw runtime.fail(`${name} second parameter should be string or array, got ${typeOf(list)}`);
}

export function join(runtime: Runtime, separator: Value, slots: readonly Slot[]): Value {
  if (typeof separator !== 'string' && !(separator instanceof JsonnetArray))
    throw runtime.fail(`join first parameter should be string or array, got ${typeOf(separator)}`);
  const parts = slots.map(force).filter((part) => part !== null);
  if (typeof separator === 'string') {
    const texts = parts.map((part) => expectText(runtime, part));
    runtime.makeText(texts.reduce((size, text) => size + text.length + separator.length, 0));
    return texts.join(separator);
  }
  const joined: Slot[] = [];
  for (const [at, part] of parts.entries()) {
    const { slots: items } = expectArray(runtime, part);
    const added = items.length + separator.slots.length;
    runtime.makeList(joined.length + added, added);
    if (at > 0) for (const slot of separator.slots) joined.push(slot);
    for (const slot of items) joined.push(slot);
  }
  return new JsonnetArray(joined);
}

function deepJoin(runtime: Runtime, value: Value): string {
  if (typeof value === 'string') return value;
  if (!(value instanceof JsonnetArray)) throw runtime.fail(`Expected string or array, got ${typeOf(value)}`);
  runtime.enter();
  let text = '';
  for (const slot of value.slots) text = joinTexts(runtime, text, deepJoin(runtime, force(slot)));
  runtime.leave();
  return text;
}

function flattenInto(runtime: Runtime, value: Value, into: Slot[]): void {
  runtime.makeList(into.length + 1, 1);
  if (!(value instanceof JsonnetArray)) {
    into.push(value);
    return;
  }
  runtime.enter();
  for (const slot of value.slots) flattenInto(runtime, force(slot), into);
  runtime.leave();
}

function indexOf(runtime: Runtime, { slots }: JsonnetArray, wanted: Value): number {
  return slots.findIndex((slot) => {
    runtime.step();
    return equals(runtime, force(slot), wanted);
  });
}

/** What is looked for is evaluated only where there is something to compare it with. */
function findAll(runtime: Runtime, { slots }: JsonnetArray, wanted: Slot): number[] {
  runtime.step(slots.length);
  return slots.flatMap((slot, at) => (equals(runtime, force(slot), force(wanted)) ? [at] : []));
}

/** The index of the first element that is `wanted`. */
function booleans(runtime: Runtime, name: string, list: Value, wanted: boolean): number | undefined {
  if (!(list instanceof JsonnetArray)) throw runtime.fail(`${name}() parameter should be an array, got ${typeOf(list)}`);
  for (const [at, slot] of list.slots.entries()) {
    const value = force(slot);
    if (typeof value !== 'boolean') throw runtime.fail(`element "${toText(runtime, value)}" of type ${typeOf(value)} is not a boolean`);
    if (value === wanted) return at;
  }
  return undefined;
}

function sum(runtime: Runtime, list: Value): number {
  let total = 0;
  for (const slot of expectArray(runtime, list).slots) {
    const value = force(slot);
    if (typeof value !== 'number') throw runtime.fail(`Unexpected type ${typeOf(value)}, expected number`);
    total += value;
  }
  return total;
}
