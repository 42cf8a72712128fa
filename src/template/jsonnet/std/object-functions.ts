import { callFunction } from '../call.ts';
import { expectBoolean, expectObject, expectText } from '../expect.ts';
import { quoteText, toText } from '../manifest-json.ts';
import { JsonnetObject, objectOf } from '../object.ts';
import { compare, equals } from '../operators.ts';
import type { Runtime } from '../runtime.ts';
import { delay, force, JsonnetArray, JsonnetFunction, typeOf } from '../value.ts';
import type { Slot, Value } from '../value.ts';
import { lazyNative, native } from './native.ts';
import type { Native } from './native.ts';

export const objectFunctions: readonly Native[] = [
  native('type', 'x', (_, value) => typeOf(value)),
  native('id', 'x', (_, value) => value),
  ...(['string', 'number', 'boolean', 'object', 'array', 'function'] as const).map((type) =>
    native(`is${type[0]?.toUpperCase()}${type.slice(1)}`, 'v', (_, value) => typeOf(value) === type),
  ),
  native('isNull', 'x', (_, value) => value === null),
  native('objectFieldsEx', 'obj, hidden', (runtime, object, hidden) => names(runtime, object, expectBoolean(runtime, hidden))),
  native('objectFields', 'o', (runtime, object) => names(runtime, object, false)),
  native('objectFieldsAll', 'o', (runtime, object) => names(runtime, object, true)),
  native('objectHasEx', 'obj, fname, hidden', (runtime, object, name, hidden) =>
    expectObject(runtime, object).has(expectText(runtime, name), expectBoolean(runtime, hidden)),
  ),
  native('objectHas', 'o, f', (runtime, object, name) => expectObject(runtime, object).has(expectText(runtime, name), false)),
  native('objectHasAll', 'o, f', (runtime, object, name) => expectObject(runtime, object).has(expectText(runtime, name), true)),
  native('objectValues', 'o', (runtime, object) => values(runtime, object, false)),
  native('objectValuesAll', 'o', (runtime, object) => values(runtime, object, true)),
  native('objectKeysValues', 'o', (runtime, object) => pairs(runtime, object, false)),
  native('objectKeysValuesAll', 'o', (runtime, object) => pairs(runtime, object, true)),
  native('objectRemoveKey', 'obj, key', (runtime, value, key) => {
    const object = expectObject(runtime, value);
    const removed = expectText(runtime, key);
    return new JsonnetObject([...object.layers, { fields: new Map(), assertions: [], removed }]);
  }),
  lazyNative('get', 'o, f, default?, inc_hidden?', (runtime, target, field, standard, includeHidden) => {
    const object = expectObject(runtime, force(target ?? null));
    const name = expectText(runtime, force(field ?? null));
    const isAll = includeHidden === undefined || expectBoolean(runtime, force(includeHidden));
    if (object.has(name, isAll)) return object.get(runtime, name);
    return standard === undefined ? null : force(standard);
  }),
  native('mapWithKey', 'func, obj', (runtime, work, object) => {
    if (!(work instanceof JsonnetFunction)) throw runtime.fail(`std.mapWithKey first param must be function, got ${typeOf(work)}`);
    if (!(object instanceof JsonnetObject)) throw runtime.fail(`std.mapWithKey second param must be object, got ${typeOf(object)}`);
    return objectOf(
      object.names(false).map((name) => [
        name,
        delay(runtime, () =>
          callFunction(
            runtime,
            work,
            name,
            delay(runtime, () => object.get(runtime, name)),
          ),
        ),
      ]),
    );
  }),
  lazyNative('mergePatch', 'target, patch', (runtime, target, patch) => {
    // What is replaced as a whole is never looked at.
    const change = force(patch ?? null);
    return change instanceof JsonnetObject ? mergePatch(runtime, force(target ?? null), change) : change;
  }),
  native('prune', 'a', prune),
  native('equals', 'x, y', equals),
  native('primitiveEquals', 'x, y', (runtime, x, y) => {
    if (typeOf(x) !== typeOf(y)) return false;
    if (x instanceof JsonnetArray || x instanceof JsonnetObject)
      throw runtime.fail(`primitiveEquals operates on primitive types, got ${typeOf(x)}`);
    return equals(runtime, x, y);
  }),
  native('assertEqual', 'a, b', (runtime, a, b) => {
    if (equals(runtime, a, b)) return true;
    const [one, other] = [a, b].map((value) => (typeof value === 'string' ? quoteText(value) : toText(runtime, value)));
    throw runtime.fail(`Assertion failed. ${one} != ${other}`);
  }),
  native('__compare', 'v1, v2', threeWay),
  native('__compare_array', 'arr1, arr2', (runtime, one, other) => Math.sign(compare(runtime, one, other))),
  native('__array_less', 'arr1, arr2', (runtime, one, other) => compare(runtime, one, other) < 0),
  native('__array_greater', 'arr1, arr2', (runtime, one, other) => compare(runtime, one, other) > 0),
  native('__array_less_or_equal', 'arr1, arr2', (runtime, one, other) => compare(runtime, one, other) <= 0),
  native('__array_greater_or_equal', 'arr1, arr2', (runtime, one, other) => compare(runtime, one, other) >= 0),
  native('trace', 'str, rest', (runtime, text, rest) => {
    // Whoever runs the program has nobody to tell it to.
    expectText(runtime, text);
    return rest;
  }),
  native('native', 'x', (runtime, name) => {
    expectText(runtime, name);
    return null;
  }),
];

function names(runtime: Runtime, object: Value, includeHidden: boolean): JsonnetArray {
  const all = expectObject(runtime, object).names(includeHidden);
  runtime.makeList(all.length);
  return new JsonnetArray(all);
}

function fieldOf(runtime: Runtime, object: JsonnetObject, name: string): Slot {
  return delay(runtime, () => object.get(runtime, name));
}

function values(runtime: Runtime, value: Value, includeHidden: boolean): JsonnetArray {
  const object = expectObject(runtime, value);
  return new JsonnetArray(object.names(includeHidden).map((name) => fieldOf(runtime, object, name)));
}

function pairs(runtime: Runtime, value: Value, includeHidden: boolean): JsonnetArray {
  const object = expectObject(runtime, value);
  return new JsonnetArray(
    object.names(includeHidden).map((name) =>
      objectOf([
        ['key', name],
        ['value', fieldOf(runtime, object, name)],
      ]),
    ),
  );
}

function mergePatch(runtime: Runtime, target: Value, patch: Value): Value {
  if (!(patch instanceof JsonnetObject)) return patch;
  runtime.enter();
  const base = target instanceof JsonnetObject ? target : objectOf([]);
  const merged = new Map<string, Slot>();
  for (const name of base.names(false)) merged.set(name, fieldOf(runtime, base, name));
  for (const name of patch.names(false)) {
    const change = patch.get(runtime, name);
    if (change === null) merged.delete(name);
    else
      merged.set(
        name,
        delay(runtime, () => mergePatch(runtime, base.has(name, false) ? base.get(runtime, name) : null, change)),
      );
  }
  runtime.leave();
  return objectOf(merged);
}

/** Without what is empty: nulls, and lists and objects that have nothing in them once they are pruned themselves. */
function prune(runtime: Runtime, value: Value): Value {
  const hasContent = (item: Value): boolean =>
    item instanceof JsonnetArray ? item.slots.length > 0 : item instanceof JsonnetObject ? item.names(false).length > 0 : item !== null;
  if (!(value instanceof JsonnetArray) && !(value instanceof JsonnetObject)) return value;
  runtime.enter();
  const pruned =
    value instanceof JsonnetArray
      ? new JsonnetArray(value.slots.map((slot) => prune(runtime, force(slot))).filter(hasContent))
      : objectOf(
          value
            .names(false)
            .map((name) => [name, prune(runtime, value.get(runtime, name))] as const)
            .filter(([, item]) => hasContent(item)),
        );
  runtime.leave();
  return pruned;
}

function threeWay(runtime: Runtime, one: Value, other: Value): number {
  const [type, second] = [typeOf(one), typeOf(other)];
  if (type !== second) throw runtime.fail(`Comparison requires matching types. Got ${type} and ${second}`);
  if (type === 'function' || type === 'object' || type === 'boolean') throw runtime.fail(`Values of type ${type} are not comparable.`);
  return Math.sign(compare(runtime, one, other));
}
