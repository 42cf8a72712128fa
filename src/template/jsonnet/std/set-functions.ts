import { callFunction } from '../call.ts';
import { expectArray, expectFunction } from '../expect.ts';
import { compare, equals } from '../operators.ts';
import type { Runtime } from '../runtime.ts';
import { force, JsonnetArray } from '../value.ts';
import type { Slot, Value } from '../value.ts';
import { lazyNative, native } from './native.ts';
import type { Native } from './native.ts';

/** An element with what it is sorted by. */
interface Keyed {
  readonly slot: Slot;
  readonly key: Value;
}

export const setFunctions: readonly Native[] = [
  native('sort', 'arr, keyF?', (runtime, list, key?: Value) => listOf(sorted(runtime, list, key))),
  native('uniq', 'arr, keyF?', (runtime, list, key?: Value) => listOf(unique(runtime, keyed(runtime, list, key)))),
  native('set', 'arr, keyF?', (runtime, list, key?: Value) => listOf(unique(runtime, sorted(runtime, list, key)))),
  native('setMember', 'x, arr, keyF?', (runtime, wanted, list, key?: Value) => {
    const [one] = keyed(runtime, new JsonnetArray([wanted]), key);
    return merge(runtime, one === undefined ? [] : [one], keyed(runtime, list, key), 'both').length > 0;
  }),
  setOperation('setUnion', 'any'),
  setOperation('setInter', 'both'),
  setOperation('setDiff', 'left'),
  extreme('minArray', (order) => order > 0),
  extreme('maxArray', (order) => order < 0),
];

function listOf(items: readonly Keyed[]): JsonnetArray {
  return new JsonnetArray(items.map(({ slot }) => slot));
}

function keyed(runtime: Runtime, list: Value, key: Value | undefined): Keyed[] {
  const { slots } = expectArray(runtime, list);
  const keyOf = key === undefined ? undefined : expectFunction(runtime, key);
  runtime.make(slots.length);
  return slots.map((slot) => ({ slot, key: keyOf === undefined ? force(slot) : callFunction(runtime, keyOf, slot) }));
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
    listOf(merge(runtime, keyed(runtime, a, key), keyed(runtime, b, key), keeps)),
  );
}

/** Goes through two sorted lists side by side. */
function merge(runtime: Runtime, left: readonly Keyed[], right: readonly Keyed[], keeps: 'any' | 'both' | 'left'): Keyed[] {
  const merged: Keyed[] = [];
  let [at, other] = [0, 0];
  for (;;) {
    const [one, two] = [left[at], right[other]];
    runtime.step();
    if (one === undefined || two === undefined) break;
    if (equals(runtime, one.key, two.key)) {
      if (keeps !== 'left') merged.push(one);
      at += 1;
      other += 1;
    } else if (compare(runtime, one.key, two.key) < 0) {
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
    for (const item of items) if (isBetter(compare(runtime, best.key, item.key))) best = item;
    return force(best.slot);
  });
}
