import { jsonEquals } from '../apply/compare-json.ts';
import { isJsonArray, isJsonObject, jsonObject, ownValue } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { PatchError } from './patch-error.ts';

/**
 * Applies an RFC 7386 merge patch: objects merge, null removes, anything else replaces. As in Kubernetes, nulls are also left out of
 * objects inside a list that the patch brings, unless the list takes the place of an object.
 */
export function applyMergePatch(document: JsonObject, patch: JsonValue): JsonObject {
  if (!isJsonObject(patch)) throw new PatchError(400, 'Invalid JSON Patch');
  return mergeObjects(document, patch);
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(document));
  for (const [key, value] of Object.entries(patch)) {
    const current = result.get(key);
    if (value === null) result.delete(key);
    else if (!isJsonObject(current)) result.set(key, withoutNulls(value));
    else result.set(key, isJsonObject(value) ? mergeObjects(current, value) : value);
  }
  return jsonObject(result);
}

/** The value without the fields that are null, at any depth. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  return jsonObject(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, withoutNulls(member)]),
  );
}

/** The merge patch that turns one object into another; a null in `modified` cannot be expressed and removes instead. */
export function createMergePatch(original: JsonObject, modified: JsonObject): JsonObject {
  const patch = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(modified)) {
    const before = ownValue(original, key);
    if (isJsonObject(before) && isJsonObject(value)) {
      const nested = createMergePatch(before, value);
      if (Object.keys(nested).length > 0) patch.set(key, nested);
    } else if (!jsonEquals(before, value)) {
      patch.set(key, value);
    }
  }
  for (const key of Object.keys(original)) if (!Object.hasOwn(modified, key)) patch.set(key, null);
  return jsonObject(patch);
}

export interface ThreeWayInput {
  /** What was applied last, from the object's own record; empty where there is none. */
  readonly lastApplied: JsonObject;
  /** What is wanted now. */
  readonly modified: JsonObject;
  /** What is there. */
  readonly live: JsonObject;
}

/**
 * The merge patch that `kubectl apply` sends for kinds without a known schema: it sets what is wanted and differs from what is there,
 * and removes only what was applied last and is no longer wanted.
 */
export function createThreeWayMergePatch({ lastApplied, modified, live }: ThreeWayInput): JsonObject {
  const changes = keepChanges(createMergePatch(live, modified));
  const deletions = keepDeletions(createMergePatch(lastApplied, modified));
  // The two cannot contradict each other: one holds only fields that `modified` has, the other only fields that it lacks.
  return mergeObjects(deletions, changes);
}

function keepChanges(patch: JsonObject): JsonObject {
  const kept = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) continue;
    if (!isJsonObject(value) || Object.keys(value).length === 0) kept.set(key, value);
    else setUnlessEmpty(kept, key, keepChanges(value));
  }
  return jsonObject(kept);
}

function keepDeletions(patch: JsonObject): JsonObject {
  const kept = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) kept.set(key, null);
    else if (isJsonObject(value)) setUnlessEmpty(kept, key, keepDeletions(value));
  }
  return jsonObject(kept);
}

function setUnlessEmpty(target: Map<string, JsonValue>, key: string, value: JsonObject): void {
  if (Object.keys(value).length > 0) target.set(key, value);
}
