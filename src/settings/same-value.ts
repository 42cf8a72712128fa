import { Sealed } from './sealed.ts';

/**
 * Whether two settings say the same. What says the same keeps its identity from one snapshot to the next, so that readers can compare
 * by reference.
 */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  if (left instanceof Sealed) return right instanceof Sealed && sameValue(left.reveal(), right.reveal());
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  if (left instanceof Map) return right instanceof Map && sameMap(left, right);
  return sameFields(left, right);
}

function sameMap(left: ReadonlyMap<unknown, unknown>, right: ReadonlyMap<unknown, unknown>): boolean {
  return left.size === right.size && [...left].every(([key, value]) => right.has(key) && sameValue(value, right.get(key)));
}

function sameFields(left: object, right: object): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameValue(Reflect.get(left, key), Reflect.get(right, key)));
}

/** The old value where the new one says the same. */
export function keepIdentity<Value>(previous: Value | undefined, next: Value): Value {
  return previous !== undefined && sameValue(previous, next) ? previous : next;
}

/** Freezes plain data all the way down; maps stay as they are, their type forbids writing. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value;
  Object.freeze(value);
  const parts: Iterable<unknown> = value instanceof Map ? value.values() : Object.values(value);
  for (const part of parts) freezeDeep(part);
  return value;
}
