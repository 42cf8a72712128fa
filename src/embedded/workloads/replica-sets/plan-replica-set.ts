import type { JsonObject } from '../../../objects/index.ts';
import { numberAt, objectAt, textAt } from '../../json-path.ts';
import { isActive, isAvailable, isReady, nextAvailableInMs, phaseOf } from '../pods/pod-facts.ts';
import { BURST_MAX } from '../room.ts';
import { byAge, compact, hasLabels, isLeaving, positive } from '../view.ts';
import type { View } from '../view.ts';

export interface ReplicaSetPlan {
  readonly createCount: number;
  readonly remove: readonly View[];
  readonly status: JsonObject;
  /** Until a pod becomes available by waiting alone. */
  readonly wakeInMs?: number;
}

/** How many pods come or go, and what the status says of those that are there. */
export function planReplicaSet(replicaSet: View, pods: readonly View[], nowMs: number): ReplicaSetPlan {
  const active = pods.filter(isActive);
  const wanted = numberAt(replicaSet.spec, 'replicas') ?? 1;
  const missing = isLeaving(replicaSet) ? 0 : wanted - active.length;
  const remove = missing < 0 ? active.toSorted(byWorth).slice(0, Math.min(-missing, BURST_MAX)) : [];
  const minReadySeconds = numberAt(replicaSet.spec, 'minReadySeconds') ?? 0;
  const labels = objectAt(replicaSet.spec, 'template', 'metadata', 'labels');
  const status = compact({
    replicas: active.length,
    fullyLabeledReplicas: positive(active.filter((pod) => hasLabels(labels, pod)).length),
    readyReplicas: positive(active.filter(isReady).length),
    availableReplicas: positive(active.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length),
    terminatingReplicas: pods.filter((pod) => isLeaving(pod) && !isEnded(pod)).length,
    observedGeneration: replicaSet.metadata.generation,
  });
  const wakeInMs = nextAvailableInMs(active, minReadySeconds, nowMs);
  return { createCount: Math.min(Math.max(missing, 0), BURST_MAX), remove, status, ...(wakeInMs !== undefined && { wakeInMs }) };
}

/** Those first whose loss costs the least: on no node, not running, not ready, the youngest. */
function byWorth(left: View, right: View): number {
  return worthOf(left) - worthOf(right) || byAge(right, left);
}

function worthOf(pod: View): number {
  return (textAt(pod.spec, 'nodeName') === '' ? 0 : 4) + (phaseOf(pod) === 'Running' ? 2 : 0) + (isReady(pod) ? 1 : 0);
}

function isEnded(pod: View): boolean {
  return phaseOf(pod) === 'Succeeded' || phaseOf(pod) === 'Failed';
}
