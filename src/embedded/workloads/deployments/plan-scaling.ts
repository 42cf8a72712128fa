import { annotationOf, byAge } from '../view.ts';
import type { View } from '../view.ts';
import { DESIRED_REPLICAS, MAX_REPLICAS, statusCount, wantedOf, wantedReplicas } from './deployment-facts.ts';
import type { Rollout } from './deployment-facts.ts';

/** A ReplicaSet and how many pods it shall have. */
export interface Scaling {
  readonly replicaSet: View;
  readonly replicas: number;
}

/** The next step of a rollout, at most one: first the new one grows, then the old ones shrink. */
export function planRollingStep(rollout: Rollout, current: View): readonly Scaling[] {
  const { replicas, old, all, maxUnavailable } = rollout;
  const wanted = wantedReplicas(current);
  const target = wanted > replicas ? replicas : initialReplicas(rollout, current);
  if (target !== wanted) return [{ replicaSet: current, replicas: target }];
  if (wantedOf(old) === 0) return [];
  const minAvailable = replicas - maxUnavailable;
  const currentUnavailable = wanted - statusCount([current], 'availableReplicas');
  const spare = wantedOf(all) - minAvailable - currentUnavailable;
  if (spare <= 0) return [];
  return mergeScalings(old, planShrink(rollout, spare, minAvailable));
}

/** How many pods the new ReplicaSet may have now. */
export function initialReplicas({ all, replicas, maxSurge, isRolling }: Rollout, current: View | undefined): number {
  if (!isRolling) return replicas;
  const own = current === undefined ? 0 : wantedReplicas(current);
  const room = replicas + maxSurge - wantedOf(all);
  return room <= 0 ? own : own + Math.max(0, Math.min(room, replicas - own));
}

/** First old pods that are of no use anyhow, then as many healthy ones as are not needed. */
function planShrink({ old, all }: Rollout, spare: number, minAvailable: number): ReadonlyMap<View, number> {
  const left = new Map(old.map((replicaSet) => [replicaSet, wantedReplicas(replicaSet)]));
  let unhealthyLeft = spare;
  for (const replicaSet of old) {
    const wanted = left.get(replicaSet) ?? 0;
    const drop = Math.min(unhealthyLeft, Math.max(wanted - statusCount([replicaSet], 'availableReplicas'), 0));
    left.set(replicaSet, wanted - drop);
    unhealthyLeft -= drop;
  }
  let healthyLeft = statusCount(all, 'availableReplicas') - minAvailable;
  for (const replicaSet of old) {
    const wanted = left.get(replicaSet) ?? 0;
    const drop = Math.max(0, Math.min(wanted, healthyLeft));
    left.set(replicaSet, wanted - drop);
    healthyLeft -= drop;
  }
  return left;
}

function mergeScalings(replicaSets: readonly View[], targets: ReadonlyMap<View, number>): readonly Scaling[] {
  return replicaSets
    .map((replicaSet) => ({ replicaSet, replicas: targets.get(replicaSet) ?? wantedReplicas(replicaSet) }))
    .filter(({ replicaSet, replicas }) => replicas !== wantedReplicas(replicaSet));
}

/** Everything old goes before anything new comes. */
export function planRecreateStep({ old, replicas }: Rollout, current: View | undefined, hasOldPods: boolean): readonly Scaling[] {
  const down = old.filter((replicaSet) => wantedReplicas(replicaSet) > 0).map((replicaSet) => ({ replicaSet, replicas: 0 }));
  if (down.length > 0 || hasOldPods || current === undefined) return down;
  return wantedReplicas(current) === replicas ? [] : [{ replicaSet: current, replicas }];
}

/** Whether somebody has scaled the Deployment since its ReplicaSets last took note. */
export function isScalingEvent({ all, replicas }: Rollout): boolean {
  return all.some((replicaSet) => {
    const noted = annotationOf(replicaSet, DESIRED_REPLICAS);
    return wantedReplicas(replicaSet) > 0 && noted !== undefined && noted !== String(replicas);
  });
}

/** Scales without moving a rollout on: one ReplicaSet alone takes all; during a rollout each takes its share. */
export function planProportions(rollout: Rollout): readonly Scaling[] {
  const { all, current, old, replicas, isRolling, maxSurge } = rollout;
  const active = all.filter((replicaSet) => wantedReplicas(replicaSet) > 0);
  const single = active.length === 0 ? (current ?? newestOf(all)) : active.length === 1 ? active[0] : undefined;
  if (single !== undefined) return wantedReplicas(single) === replicas ? [] : [{ replicaSet: single, replicas }];
  if (current !== undefined && isSaturated(current, replicas))
    return old.filter((replicaSet) => wantedReplicas(replicaSet) > 0).map((replicaSet) => ({ replicaSet, replicas: 0 }));
  if (!isRolling) return [];
  const allowed = replicas > 0 ? replicas + maxSurge : 0;
  let toAdd = allowed - wantedOf(active);
  const bySize = active.toSorted(
    (left, right) => wantedReplicas(right) - wantedReplicas(left) || (toAdd > 0 ? byAge(right, left) : byAge(left, right)),
  );
  const targets = new Map<View, number>();
  for (const replicaSet of bySize) {
    const share = clampShare(shareOf(replicaSet, allowed), toAdd);
    targets.set(replicaSet, wantedReplicas(replicaSet) + share);
    toAdd -= share;
  }
  // What rounding has left over goes to the largest.
  const [largest] = bySize;
  if (largest !== undefined) targets.set(largest, Math.max((targets.get(largest) ?? 0) + toAdd, 0));
  return mergeScalings(bySize, targets);
}

function shareOf(replicaSet: View, allowed: number): number {
  const wanted = wantedReplicas(replicaSet);
  const before = Number(annotationOf(replicaSet, MAX_REPLICAS) ?? 0) || allowed;
  return before === 0 ? 0 : Math.round((wanted * allowed) / before) - wanted;
}

function clampShare(share: number, toAdd: number): number {
  return toAdd > 0 ? Math.max(0, Math.min(share, toAdd)) : Math.min(0, Math.max(share, toAdd));
}

function isSaturated(current: View, replicas: number): boolean {
  const noted = annotationOf(current, DESIRED_REPLICAS);
  return wantedReplicas(current) === replicas && noted === String(replicas) && statusCount([current], 'availableReplicas') === replicas;
}

function newestOf(replicaSets: readonly View[]): View | undefined {
  return replicaSets.toSorted(byAge).at(-1);
}
