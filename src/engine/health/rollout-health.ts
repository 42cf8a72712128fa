import { isJsonArray, numberAt, textAt, valueAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { conditionsOf, health } from './condition.ts';
import { isHealthStatusCode } from './health-status.ts';
import type { Health } from './health-status.ts';

/** A Rollout of Argo Rollouts: from 1.0 on it says itself how it is, and before that it must be worked out. */
export function rolloutHealth(rollout: JsonObject): Health {
  if (!isObserved(rollout)) return health('Progressing', 'Waiting for rollout spec update to be observed');
  const phase = textAt(rollout, 'status', 'phase');
  if (phase === '') return healthBeforePhases(rollout);
  const message = textAt(rollout, 'status', 'message');
  if (phase === 'Paused') return health('Suspended', message);
  return health(isHealthStatusCode(phase) ? phase : 'Progressing', message);
}

/** Before 0.10 the generation that was seen is a hash, which may also look like a number that is too large. */
function isObserved(rollout: JsonObject): boolean {
  if (valueAt(rollout, ['status']) === undefined) return false;
  const generation = numberAt(rollout, 'metadata', 'generation') ?? 0;
  const observed = Number.parseFloat(wordAt(rollout, 'status', 'observedGeneration'));
  if (!Number.isNaN(observed) && observed < generation) return false;
  if (valueAt(rollout, ['spec', 'workloadRef']) === undefined) return true;
  const workload = wordAt(rollout, 'metadata', 'annotations', 'rollout.argoproj.io/workload-generation');
  return workload === '' || workload === wordAt(rollout, 'status', 'workloadObservedGeneration');
}

function wordAt(object: JsonObject, ...path: readonly string[]): string {
  const value = valueAt(object, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function healthBeforePhases(rollout: JsonObject): Health {
  const failure = conditionsOf(rollout).find(
    ({ type, reason }) =>
      type === 'InvalidSpec' || (type === 'Progressing' && (reason === 'RolloutAborted' || reason === 'ProgressDeadlineExceeded')),
  );
  if (failure) return health('Degraded', failure.message);
  const pauses = valueAt(rollout, ['status', 'pauseConditions']);
  if ((isJsonArray(pauses) && pauses.length > 0) || valueAt(rollout, ['spec', 'paused']) === true)
    return health('Suspended', 'Rollout is paused');
  const waiting = waitsFor(rollout);
  return waiting === undefined ? health('Healthy') : health('Progressing', waiting);
}

function waitsFor(rollout: JsonObject): string | undefined {
  const current = textAt(rollout, 'status', 'currentPodHash');
  if (current === '') return 'Waiting for rollout to finish: status has not been reconciled.';
  const count = (name: string): number => numberAt(rollout, 'status', name) ?? 0;
  if (count('updatedReplicas') < (numberAt(rollout, 'spec', 'replicas') ?? 1))
    return 'Waiting for roll out to finish: More replicas need to be updated';
  if (count('availableReplicas') < count('updatedReplicas'))
    return 'Waiting for roll out to finish: updated replicas are still becoming available';
  const stable = textAt(rollout, 'status', 'stableRS') || textAt(rollout, 'status', 'canary', 'stableRS');
  if (valueAt(rollout, ['spec', 'strategy', 'blueGreen']) !== undefined) {
    if (textAt(rollout, 'status', 'blueGreen', 'activeSelector') !== current) return 'active service cutover pending';
    return stable !== '' && stable !== current ? 'waiting for analysis to complete' : undefined;
  }
  if (valueAt(rollout, ['spec', 'strategy', 'canary']) === undefined) return undefined;
  if (count('replicas') > count('updatedReplicas')) return 'Waiting for roll out to finish: old replicas are pending termination';
  return stable === current ? undefined : 'Waiting for rollout to finish steps';
}
