import { scaleIntOrPercent } from '../../../objects/index.ts';
import type { JsonValue } from '../../../objects/index.ts';
import type { WorkResult } from '../../../kube/index.ts';
import { makeCondition } from '../conditions.ts';
import { isActive, isReady } from '../pods/pod-facts.ts';
import { compact, isLeaving, isSelected } from '../view.ts';
import type { View } from '../view.ts';
import { updateStatus } from '../world.ts';
import type { World } from '../world.ts';

/** Counts the pods that a disruption budget guards. Nothing is disrupted here, so the counts are all there is to it. */
export async function reconcileBudget(world: World, budget: View): Promise<WorkResult> {
  if (isLeaving(budget)) return 'done';
  const pods = world.cache.inNamespace('Pod', budget.namespace).filter((pod) => isActive(pod) && isSelected(budget.spec['selector'], pod));
  const expectedPods = pods.length;
  const currentHealthy = pods.filter(isReady).length;
  const { minAvailable, maxUnavailable } = budget.spec;
  const desiredHealthy =
    maxUnavailable === undefined
      ? shareOf(minAvailable, expectedPods, 1)
      : Math.max(expectedPods - shareOf(maxUnavailable, expectedPods, 0), 0);
  const disruptionsAllowed = Math.max(Math.min(currentHealthy - desiredHealthy, expectedPods), 0);
  const isAllowed = disruptionsAllowed > 0;
  const condition = {
    type: 'DisruptionAllowed',
    status: isAllowed ? 'True' : 'False',
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
  const { generation } = budget.metadata;
  const status = compact({
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    observedGeneration: generation,
    conditions: [compact({ ...makeCondition(budget, condition, world.clock.nowMs()), observedGeneration: generation })],
  });
  await updateStatus(world, budget, status);
  return 'done';
}

function shareOf(value: JsonValue | undefined, total: number, otherwise: number): number {
  if (typeof value !== 'number' && typeof value !== 'string') return otherwise;
  return scaleIntOrPercent(value, total, 'up') ?? otherwise;
}
