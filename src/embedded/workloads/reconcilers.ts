import { reconcileDeployment } from './deployments/reconcile-deployment.ts';
import { reconcilePod } from './pods/reconcile-pod.ts';
import { reconcileReplicaSet } from './replica-sets/reconcile-replica-set.ts';
import type { WorkloadKind } from './workload-types.ts';
import type { Reconcile } from './world.ts';

/** Who looks after the objects of each kind. */
export const reconcilers: Partial<Record<WorkloadKind, Reconcile>> = {
  Deployment: reconcileDeployment,
  Pod: reconcilePod,
  ReplicaSet: reconcileReplicaSet,
};
