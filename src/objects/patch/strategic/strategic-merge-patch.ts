import { isJsonObject } from '../../json-value.ts';
import type { JsonObject, JsonValue } from '../../json-value.ts';
import type { Schema } from '../../schema/index.ts';
import type { ThreeWayInput } from '../merge-patch.ts';
import { PatchError } from '../patch-error.ts';
import { diffStrategically } from './diff.ts';
import { mergeStrategically } from './merge.ts';

/** Applies a strategic merge patch: lists merge by their merge keys where the schema says so, and directives in the patch are obeyed. */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonValue, schema: Schema): JsonObject {
  if (!isJsonObject(patch)) throw new PatchError(400, 'invalid JSON document');
  return mergeStrategically(document, patch, schema, 'object');
}

/** The strategic merge patch that turns one object into another. */
export function createStrategicMergePatch(original: JsonObject, modified: JsonObject, schema: Schema): JsonObject {
  return diffStrategically(original, modified, schema, { changes: true, deletions: true });
}

/**
 * The strategic merge patch that `kubectl apply` sends: it sets what is wanted and differs from what is there, and removes only what was
 * applied last and is no longer wanted.
 */
export function createThreeWayStrategicMergePatch({ lastApplied, modified, live }: ThreeWayInput, schema: Schema): JsonObject {
  const changes = diffStrategically(live, modified, schema, { changes: true, deletions: false });
  const deletions = diffStrategically(lastApplied, modified, schema, { changes: false, deletions: true });
  return mergeStrategically(deletions, changes, schema, 'patch');
}
