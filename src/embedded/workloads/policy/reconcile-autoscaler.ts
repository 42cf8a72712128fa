import { jsonEquals } from '../../../objects/index.ts';
import type { WorkResult } from '../../../kube/index.ts';
import { numberAt, textAt } from '../../json-path.ts';
import { makeCondition } from '../conditions.ts';
import { compact, isLeaving } from '../view.ts';
import type { View } from '../view.ts';
import { isWorkloadKind } from '../workload-types.ts';
import { updateStatus } from '../world.ts';
import type { World } from '../world.ts';

/** Says how many replicas an autoscaler's target has. Nothing uses any processor time here, so it never scales. */
export async function reconcileAutoscaler(world: World, autoscaler: View): Promise<WorkResult> {
  if (isLeaving(autoscaler)) return 'done';
  const nowMs = world.clock.nowMs();
  const kind = textAt(autoscaler.spec, 'scaleTargetRef', 'kind');
  const name = textAt(autoscaler.spec, 'scaleTargetRef', 'name');
  const target = isWorkloadKind(kind) ? world.cache.get(kind, autoscaler.namespace, name) : undefined;
  const condition = (type: string, isTrue: boolean, reason: string, message: string) =>
    makeCondition(autoscaler, { type, status: isTrue ? 'True' : 'False', reason, message }, nowMs);
  const replicas = numberAt(target?.status, 'replicas') ?? 0;
  const conditions =
    target === undefined
      ? [condition('AbleToScale', false, 'FailedGetScale', `the simulation knows no ${kind} "${name}" to scale`)]
      : [
          condition('AbleToScale', true, 'ReadyForNewScale', 'recommended size matches current size'),
          condition('ScalingActive', true, 'ValidMetricFound', 'simulated: the workload is as large as it needs to be'),
          condition('ScalingLimited', false, 'DesiredWithinRange', 'the desired count is within the acceptable range'),
        ];
  const status = compact({
    ...autoscaler.status,
    currentReplicas: target === undefined ? undefined : replicas,
    desiredReplicas: target === undefined ? 0 : replicas,
    conditions,
  });
  if (!jsonEquals(status, autoscaler.status)) await updateStatus(world, autoscaler, status);
  return 'done';
}
