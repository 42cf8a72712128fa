import {
  applyMergePatch,
  applyServerSide,
  applyStrategicMergePatch,
  createThreeWayMergePatch,
  createThreeWayStrategicMergePatch,
} from '../../objects/index.ts';
import type { JsonObject, KubeObject, Schema } from '../../objects/index.ts';

/** How the live object would be after a sync. */
export interface Prediction {
  readonly desired: JsonObject;
  readonly live: JsonObject;
  /** What was applied last; where nothing is recorded, the desired object itself, so that what only the live object has is left alone. */
  readonly lastApplied: JsonObject | undefined;
  readonly schema: Schema | undefined;
  /** One of Kubernetes' own kinds: lists merge by their keys. */
  readonly isBuiltin: boolean;
}

/** After a three-way patch, as `kubectl apply` makes it. */
export function predictClientSide({ desired, live, lastApplied, schema, isBuiltin }: Prediction): JsonObject {
  const input = { lastApplied: lastApplied ?? desired, modified: desired, live };
  if (isBuiltin && schema !== undefined) return applyStrategicMergePatch(live, createThreeWayStrategicMergePatch(input, schema), schema);
  return applyMergePatch(live, createThreeWayMergePatch(input));
}

/** The field manager of every write; the one that existing installations used. */
export const fieldManager = 'argocd-controller';

/**
 * After a server-side apply. The live object must still have its `managedFields`: without them it cannot be told what was applied before and
 * is no longer wanted, and such fields stay.
 */
export function predictServerSide(
  { desired, live, schema, isBuiltin }: Prediction,
  managedFields: KubeObject['metadata']['managedFields'],
): JsonObject {
  const metadata = { ...(live['metadata'] as JsonObject), ...(managedFields && { managedFields }) };
  // The time only dates the entry of the manager, which no comparison sees.
  const request = { live: { ...live, metadata }, config: desired, manager: fieldManager, force: true, nowMs: 0, schema, isBuiltin };
  return applyServerSide(request).object;
}
