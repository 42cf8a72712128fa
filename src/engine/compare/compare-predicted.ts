import { jsonEquals, type JsonValue, type KubeObject } from '../../objects/index.ts';
import { annotations, withAnnotation } from '../annotations.ts';
import type { ObjectComparison } from './compare-object.ts';
import type { CompareRules } from './compare-rules.ts';
import { normalizeObject } from './normalize-object.ts';
import { keepOwnChanges } from './own-changes.ts';
import { withoutOwnedFields } from './owned-fields.ts';
import { fieldManager } from './predict-live.ts';

/** What the cluster itself says that applying would make of a live object, from a dry run; with its `managedFields`. */
export interface ServerPrediction {
  readonly object: KubeObject;
  /** Whether what others change while the object is written counts too, such as admission webhooks. */
  readonly includesMutations: boolean;
}

/** Compares a live object, with its `managedFields`, with what the cluster says that applying would make of it. */
export function comparePredicted(live: KubeObject, { object, includesMutations }: ServerPrediction, rules: CompareRules): ObjectComparison {
  const predicted = includesMutations ? object : keepOwnChanges(live, object, fieldManager);
  const { managedFields } = live.metadata;
  const counted = withoutOwnedFields(predicted, live, { rules, managedFields });
  const normalizedLive = clean(counted.live, rules);
  const predictedLive = clean(counted.desired, rules);
  return {
    modified: !jsonEquals(normalizedLive as unknown as JsonValue, predictedLive as unknown as JsonValue),
    normalizedLive,
    predictedLive,
  };
}

/** Without what every write changes. */
function clean(object: KubeObject, rules: CompareRules): KubeObject {
  const normalized = withAnnotation(normalizeObject(object, rules), annotations.lastApplied, undefined);
  const { resourceVersion: _version, generation: _generation, ...metadata } = normalized.metadata;
  return { ...normalized, metadata };
}
