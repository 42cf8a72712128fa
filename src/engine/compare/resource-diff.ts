import type { ResourceDiff } from '../../model/index.ts';
import type { KubeObject, Schema } from '../../objects/index.ts';
import { isSecret, maskSecrets } from '../mask/mask-secrets.ts';
import type { ManagedResource } from './compare-application.ts';
import { compareObject } from './compare-object.ts';
import type { ObjectComparison } from './compare-object.ts';
import { comparePredicted } from './compare-predicted.ts';
import type { CompareRules } from './compare-rules.ts';

/** How an absent side is written. */
const NOTHING = 'null';

/**
 * The states of a resource as clients compare them, as JSON texts. Those of a Secret are made from masked objects, so that no value of one
 * is in any of them.
 */
export function toResourceDiff(resource: ManagedResource, rules: CompareRules, schema?: Schema): ResourceDiff {
  const { group, kind, namespace, name, live } = resource;
  const states = statesOf(resource, rules, schema);
  const { modified } = resource.comparison;
  return {
    ...(group !== '' && { group }),
    kind,
    ...(namespace !== '' && { namespace }),
    name,
    targetState: print(states.desired),
    liveState: print(states.live),
    normalizedLiveState: print(states.comparison.normalizedLive),
    predictedLiveState: print(states.comparison.predictedLive),
    ...(live?.metadata.resourceVersion && { resourceVersion: live.metadata.resourceVersion }),
    ...(resource.isHook && { hook: true }),
    ...(modified && { modified }),
  };
}

interface States {
  readonly desired: KubeObject | undefined;
  readonly live: KubeObject | undefined;
  readonly comparison: ObjectComparison;
}

function statesOf(resource: ManagedResource, rules: CompareRules, schema: Schema | undefined): States {
  const { desired, live, comparison, onServer } = resource;
  if (!isSecret(desired) && !isSecret(live)) return { desired, live, comparison };
  const masked = maskSecrets({ target: desired, live }, rules.sensitiveAnnotations);
  if (live !== undefined && onServer !== undefined) {
    // Masked together, so that what is equal in both looks so, and what differs does not.
    const pair = maskSecrets({ target: onServer.object, live }, rules.sensitiveAnnotations);
    const predicted = { ...onServer, object: pair.target ?? onServer.object };
    return { desired: masked.target, live: pair.live, comparison: comparePredicted(pair.live ?? live, predicted, rules) };
  }
  return {
    desired: masked.target,
    live: masked.live,
    comparison: compareObject({ desired: masked.target, live: masked.live, schema, rules }),
  };
}

/** Who owns which field is long, and no part of a state. */
function print(object: KubeObject | undefined): string {
  if (object === undefined) return NOTHING;
  const { managedFields: _owners, ...metadata } = object.metadata;
  return JSON.stringify({ ...object, metadata });
}
