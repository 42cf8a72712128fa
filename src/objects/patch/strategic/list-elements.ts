import { printGoType, printGoValue } from '../../apply/print-go.ts';
import { isJsonArray, isJsonObject, ownValue } from '../../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json-value.ts';
import { PatchError } from '../patch-error.ts';
import { isDeleteElement } from './directives.ts';

/** What the elements of a merging list are, and by what they are told apart. */
export type ElementKind = 'object' | 'scalar';

/** The one kind of all elements; lists that mix types, hold lists or hold nothing at all cannot be merged. */
export function elementKind(...lists: readonly JsonArray[]): ElementKind {
  let type: string | undefined;
  for (const list of lists) {
    for (const element of list) {
      if (isJsonArray(element)) throw new PatchError(422, 'lists of lists are not supported');
      const own = printGoType(element);
      if (element === null || (type !== undefined && type !== own))
        throw new PatchError(500, `list element types are not identical: ${printGoValue(lists)}`);
      type = own;
    }
  }
  if (type === undefined) throw new PatchError(500, 'no elements in any of the given slices');
  return type.startsWith('map') ? 'object' : 'scalar';
}

export function requireObject(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  throw badType('map[string]interface {}', value);
}

export function requireList(value: JsonValue): JsonArray {
  if (isJsonArray(value)) return value;
  throw badType('[]interface {}', value);
}

function badType(expected: string, value: JsonValue): PatchError {
  return new PatchError(500, `expected a ${expected}, but received a ${value === null ? '%!s(<nil>)' : printGoType(value)}`);
}

/** The value of the field that tells this element from the others. */
export function mergeKeyValue(element: JsonObject, mergeKey: string): JsonValue {
  const value = ownValue(element, mergeKey);
  if (value === undefined) throw new PatchError(500, `map: ${printGoValue(element)} does not contain declared merge key: ${mergeKey}`);
  return value;
}

/** What tells an element from the others: itself, or its merge key's value. */
function identity(element: JsonValue, mergeKey: string | undefined): JsonValue {
  return mergeKey === undefined ? element : mergeKeyValue(requireObject(element), mergeKey);
}

/** The first place of each identity in a list. */
export function positions(list: JsonArray, mergeKey: string | undefined): Map<JsonValue, number> {
  const found = new Map<JsonValue, number>();
  for (const [index, element] of list.entries()) {
    const own = identity(element, mergeKey);
    if (!found.has(own)) found.set(own, index);
  }
  return found;
}

export interface Ordering {
  readonly mergeKey: string | undefined;
  /** The order that the elements of the patch must have. */
  readonly patchOrder: JsonArray;
  /** The order of the list before the patch. */
  readonly liveOrder: JsonArray;
}

/**
 * Orders a merged list: elements that the patch orders stand as it says, the others as they stood, and the two are interleaved so that
 * an element that stood before one of the patch's stays before it, as far as possible. Elements marked for deletion come last.
 */
export function orderElements(merged: JsonArray, { mergeKey, patchOrder, liveOrder }: Ordering): JsonArray {
  const patched = positions(patchOrder, mergeKey);
  const live = positions(liveOrder, mergeKey);
  const inPatch = merged.filter((element) => patched.has(identity(element, mergeKey)));
  const others = merged.filter((element) => !patched.has(identity(element, mergeKey)));
  return interleave(sortByPosition(others, live, mergeKey), sortByPosition(inPatch, patched, mergeKey), (element) =>
    live.get(identity(element, mergeKey)),
  );
}

function interleave(left: JsonArray, right: JsonArray, positionOf: (element: JsonValue) => number | undefined): JsonArray {
  const result: JsonValue[] = [];
  let next = 0;
  for (const element of right) {
    const limit = positionOf(element);
    while (next < left.length) {
      const candidate = left[next] ?? null;
      const position = positionOf(candidate);
      if (limit === undefined || position === undefined || position >= limit) break;
      result.push(candidate);
      next++;
    }
    result.push(element);
  }
  return [...result, ...left.slice(next)];
}

/** Sorts by the place in another list; what marks a deletion goes to the end. */
export function sortByPosition(list: JsonArray, order: ReadonlyMap<JsonValue, number>, mergeKey: string | undefined): JsonArray {
  const isDeletion = (element: JsonValue) => isJsonObject(element) && isDeleteElement(element);
  const kept = list.filter((element) => !isDeletion(element));
  const position = (element: JsonValue) => order.get(identity(element, mergeKey));
  const known = kept.filter((element) => position(element) !== undefined);
  const sorted =
    known.length === kept.length
      ? kept.toSorted((left, right) => (position(left) ?? 0) - (position(right) ?? 0))
      : sortSomeUnknown(kept, known, position);
  return [...sorted, ...list.filter(isDeletion)];
}

/** So long a list Kubernetes sorts by plain insertion. */
const INSERTION_LENGTH_MAX = 20;

/**
 * Sorts a list of which some elements have no place in the order. Kubernetes then calls either of two elements smaller, whichever it
 * asks about, so that what comes out depends on its way of sorting; short lists come out here as they do there.
 */
function sortSomeUnknown(list: JsonArray, known: JsonArray, position: (element: JsonValue) => number | undefined): JsonArray {
  const isBefore = (left: JsonValue, right: JsonValue) => (position(left) ?? -1) < (position(right) ?? Infinity);
  if (list.length > INSERTION_LENGTH_MAX) {
    const sorted = known.toSorted((left, right) => (position(left) ?? 0) - (position(right) ?? 0));
    return [...list.filter((element) => position(element) === undefined), ...sorted];
  }
  const sorted: JsonValue[] = [];
  for (const element of list) {
    let index = sorted.length;
    while (index > 0 && isBefore(element, sorted[index - 1] ?? null)) index--;
    sorted.splice(index, 0, element);
  }
  return sorted;
}

/** The scalars of a list, each once. */
export function distinct(list: JsonArray): JsonArray {
  return [...new Set(list)];
}
