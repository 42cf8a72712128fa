import type { JsonObject } from '../../../objects/index.ts';
import type { WorkResult } from '../../../kube/index.ts';
import { objectAt } from '../../json-path.ts';
import { adoptOrphans } from '../adopt-orphans.ts';
import { makeCondition } from '../conditions.ts';
import { changePods } from '../pods/change-pods.ts';
import { podFromTemplate } from '../pods/pod-from-template.ts';
import type { View } from '../view.ts';
import { updateStatus } from '../world.ts';
import type { World } from '../world.ts';
import { planReplicaSet } from './plan-replica-set.ts';

/** Keeps as many pods as a ReplicaSet says. */
export async function reconcileReplicaSet(world: World, replicaSet: View): Promise<WorkResult> {
  await adoptOrphans(world, replicaSet, 'Pod');
  const plan = planReplicaSet(replicaSet, world.cache.dependents('Pod', replicaSet.uid), world.clock.nowMs());
  const pod = podFromTemplate({
    owner: replicaSet,
    template: objectAt(replicaSet.spec, 'template'),
    generateName: `${replicaSet.name}-`,
  });
  const count = world.room.take(replicaSet, plan.createCount);
  await changePods(world, replicaSet, { make: Array.from({ length: count }, () => pod), remove: plan.remove });
  // What was made or removed just now comes back as a change, and the status is written then: once, not twice.
  if (count > 0 || plan.remove.length > 0) return 'done';
  await updateStatus(world, replicaSet, plan.createCount > 0 ? withFailure(world, replicaSet, plan.status) : plan.status);
  return plan.wakeInMs === undefined ? 'done' : { requeueAfterMs: plan.wakeInMs };
}

/** The status with the condition that says why there are no more pods; the Deployment takes it over. */
function withFailure({ clock, room }: World, replicaSet: View, status: JsonObject): JsonObject {
  const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: room.refusal };
  return { ...status, conditions: [makeCondition(replicaSet, failure, clock.nowMs())] };
}
