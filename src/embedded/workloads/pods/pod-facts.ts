import { parseTime } from '../../../objects/index.ts';
import { listAt, textAt } from '../../json-path.ts';
import { isLeaving } from '../view.ts';
import type { View } from '../view.ts';

export function phaseOf({ status }: View): string {
  return textAt(status, 'phase');
}

export function hasEnded(pod: View): boolean {
  return phaseOf(pod) === 'Succeeded' || phaseOf(pod) === 'Failed';
}

/** Neither ended nor about to go: what counts as a replica. */
export function isActive(pod: View): boolean {
  return !hasEnded(pod) && !isLeaving(pod);
}

export function isReady({ status }: View): boolean {
  return listAt(status, 'conditions').some((condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True');
}

/** When a ready pod has been so for long enough; undefined for one that is not ready. */
export function availableAtMs(pod: View, minReadySeconds: number): number | undefined {
  if (!isReady(pod)) return undefined;
  const ready = listAt(pod.status, 'conditions').find((condition) => textAt(condition, 'type') === 'Ready');
  return (parseTime(textAt(ready, 'lastTransitionTime')) ?? 0) + minReadySeconds * 1_000;
}

export function isAvailable(pod: View, minReadySeconds: number, nowMs: number): boolean {
  const atMs = availableAtMs(pod, minReadySeconds);
  return atMs !== undefined && (minReadySeconds === 0 || atMs <= nowMs);
}

/** Milliseconds until the next of the pods becomes available by waiting alone; undefined where none will. */
export function nextAvailableInMs(pods: readonly View[], minReadySeconds: number, nowMs: number): number | undefined {
  if (minReadySeconds === 0) return undefined;
  const waits = pods.map((pod) => (availableAtMs(pod, minReadySeconds) ?? 0) - nowMs).filter((waitMs) => waitMs > 0);
  return waits.length === 0 ? undefined : Math.min(...waits);
}
