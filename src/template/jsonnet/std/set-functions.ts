import { callFunction } from '../call.ts';
import { expectArray, expectFunction } from '../expect.ts';
import { compare, equals } from '../operators.ts';
import type { Runtime } from '../runtime.ts';
import { codePoints } from '../text.ts';
import { delay, force, JsonnetArray } from '../value.ts';
import type { Slot, Value } from '../value.ts';
import { lazyNative, native } from './native.ts';
import type { Native } from './native.ts';

/** An element with what it is sorted by. */
interface Keyed {
  readonly slot: Slot;
  readonly key: Value;
}

/** The same where the key is not needed yet. */
interface LazilyKeyed {
  readonly slot: Slot;
  readonly key: Slot;
}

export const setFunctions: readonly Native[] = [
  native('sort', 'arr, keyF?', (runtime, list, key?: Value) => listOf(sorted(runtime, list, key))),
  native('uniq', 'arr, keyF?', (runtime, list, key?: Value) => listOf(unique(runtime, keyed(runtime, characters(list), key)))),
  native('set', 'arr, keyF?', (runtime, list, key?: Value) => listOf(unique(runtime, sorted(runtime, list, key)))),
  native('setMember', 'x, arr, keyF?', (runtime, wanted, list, key?: Value) => {
    const [one] = lazilyKeyed(runtime, new JsonnetArray([wanted]), key);
    return merge(runtime, one === undefined ? [] : [one], lazilyKeyed(runtime, list, key), 'both').length > 0;
  }),
  setOperation('setUnion', 'any'),
  setOperation('setInter', 'both'),
  setOperation('setDiff', 'left'),
  extreme('minArray', (order) => order > 0),
  extreme('maxArray', (order) => order < 0),
];

/** A text is a list of its characters to what goes through it one by one. */
function characters(list: Value): Value {
  return typeof list === 'string' ? new JsonnetArray(codePoints(list)) : list;
}

function listOf(items: readonly LazilyKeyed[]): JsonnetArray {
  return new JsonnetArray(items.map(({ slot }) => slot));
}

function keyed(runtime: Runtime, list: Value, key: Value | undefined): Keyed[] {
  const { slots } = expectArray(runtime, list);
  const keyOf = key === undefined ? undefined : expectFunction(runtime, key);
  runtime.makeList(slots.length);
  return slots.map((slot) => ({ slot, key: keyOf === undefined ? force(slot) : callFunction(runtime, keyOf, slot) }));
}

function lazilyKeyed(runtime: Runtime, list: Value, key: Value | undefined): LazilyKeyed[] {
  const { slots } = expectArray(runtime, list);
  const keyOf = key === undefined ? undefined : expectFunction(runtime, key);
  runtime.makeList(slots.length);
  return slots.map((slot) => ({ slot, key: keyOf === undefined ? slot : delay(runtime, () => callFunction(runtime, keyOf, slot)) }));
}

function sorted(runtime: Runtime, list: Value, key: Value | undefined): Keyed[] {
  return keyed(runtime, list, key).sort((one, other) => {
    runtime.step();
    return compare(runtime, one.key, other.key);
  });
}

/** Of neighbours that are the same the first stays. */
function unique(runtime: Runtime, items: readonly Keyed[]): Keyed[] {
  const kept: Keyed[] = [];
  for (const item of items) {
    const last = kept.at(-1);
    if (last === undefined || !equals(runtime, last.key, item.key)) kept.push(item);
  }
  return kept;
}

function setOperation(name: string, keeps: 'any' | 'both' | 'left'): Native {
  return native(name, 'a, b, keyF?', (runtime, a, b, key?: Value) =>
    listOf(merge(runtime, lazilyKeyed(runtime, a, key), lazilyKeyed(runtime, b, key), keeps)),
  );
}

/** Goes through two sorted lists side by side. */
function merge(
  runtime: Runtime,
  left: readonly LazilyKeyed[],
  right: readonly LazilyKeyed[],
  keeps: 'any' | 'both' | 'left',
): LazilyKeyed[] {
  const merged: LazilyKeyed[] = [];
  let [at, other] = [0, 0];
  for (;;) {
    const [one, two] = [left[at], right[other]];
    runtime.step();
    if (one === undefined || two === undefined) break;
    const [key, otherKey] = [force(one.key), force(two.key)];
    if (equals(runtime, key, otherKey)) {
      if (keeps !== 'left') merged.push(one);
      at += 1;
      other += 1;
    } else if (compare(runtime, key, otherKey) < 0) {
      if (keeps !== 'both') merged.push(one);
      at += 1;
    } else {
      if (keeps === 'any') merged.push(two);
      other += 1;
    }
  }
  if (keeps !== 'both') merged.push(...left.slice(at));
  if (keeps === 'any') merged.push(...right.slice(other));
  return merged;
}

function extreme(name: string, isBetter: (order: number) => boolean): Native {
  return lazyNative(name, 'arr, keyF?, onEmpty?', (runtime, list, key, onEmpty) => {
    const items = keyed(runtime, force(list ?? null), key === undefined ? undefined : force(key));
    let [best] = items;
    if (best === undefined) {
      if (onEmpty === undefined) throw runtime.fail('Expected at least one element in array. Got none');
      return force(onEmpty);
    }
    for (const item of items.slice(1)) if (isBetter(compare(runtime, best.key, item.key))) best = item;
    return force(best.slot);
  });
}
