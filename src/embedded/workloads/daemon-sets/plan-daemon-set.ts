import type { JsonObject } from '../../../objects/index.ts';
import { numberAt, textAt } from '../../json-path.ts';
import { hasEnded, isActive, isAvailable, isReady, nextAvailableInMs } from '../pods/pod-facts.ts';
import { byAge, compact, isLeaving, positive } from '../view.ts';
import type { View } from '../view.ts';

export const REVISION_LABEL = 'controller-revision-hash';

export interface DaemonSetPlan {
  readonly createCount: 0 | 1;
  readonly remove: readonly View[];
  readonly status: JsonObject;
  readonly wakeInMs?: number;
}

/** One pod, as there is one node: a pod of an older template goes before one of the new template comes. */
export function planDaemonSet(set: View, pods: readonly View[], hash: string, nowMs: number): DaemonSetPlan {
  const active = pods.filter(isActive).toSorted(byAge);
  const isOld = (pod: View): boolean => pod.metadata.labels?.[REVISION_LABEL] !== hash;
  const isRolling = textAt(set.spec, 'updateStrategy', 'type') !== 'OnDelete';
  const [kept, ...surplus] = active;
  const outdated = kept !== undefined && isRolling && isOld(kept) ? [kept] : [];
  const remove = [...pods.filter((pod) => hasEnded(pod) && !isLeaving(pod)), ...surplus, ...outdated];
  const minReadySeconds = numberAt(set.spec, 'minReadySeconds') ?? 0;
  const count = (test: (pod: View) => boolean): number => (kept !== undefined && test(kept) ? 1 : 0);
  const available = count((pod) => isAvailable(pod, minReadySeconds, nowMs));
  const status = compact({
    currentNumberScheduled: count(() => true),
    numberMisscheduled: 0,
    desiredNumberScheduled: 1,
    numberReady: count(isReady),
    observedGeneration: set.metadata.generation,
    updatedNumberScheduled: positive(count((pod) => !isOld(pod))),
    numberAvailable: positive(available),
    numberUnavailable: positive(1 - available),
  });
  const wakeInMs = nextAvailableInMs(active, minReadySeconds, nowMs);
  const createCount = pods.length === 0 && !isLeaving(set) ? 1 : 0;
  return { createCount, remove: isLeaving(set) ? [] : remove, status, ...(wakeInMs !== undefined && { wakeInMs }) };
}
