import { reconcileCronJob } from './batch/reconcile-cron-job.ts';
import { reconcileJob } from './batch/reconcile-job.ts';
import { reconcileDaemonSet } from './daemon-sets/reconcile-daemon-set.ts';
import { reconcileDeployment } from './deployments/reconcile-deployment.ts';
import { reconcileNamespace } from './namespace-defaults.ts';
import { reconcileIngress, reconcileService } from './network/reconcile-service.ts';
import { reconcilePod } from './pods/reconcile-pod.ts';
import { reconcileAutoscaler } from './policy/reconcile-autoscaler.ts';
import { reconcileBudget } from './policy/reconcile-budget.ts';
import { reconcileReplicaSet } from './replica-sets/reconcile-replica-set.ts';
import { reconcileStatefulSet } from './stateful-sets/reconcile-stateful-set.ts';
import { reconcileClaim, reconcileVolume } from './storage/reconcile-claim.ts';
import type { WorkloadKind } from './workload-types.ts';
import type { Reconcile } from './world.ts';

/** Who looks after the objects of each kind. */
export const reconcilers: Partial<Record<WorkloadKind, Reconcile>> = {
  CronJob: reconcileCronJob,
  DaemonSet: reconcileDaemonSet,
  Deployment: reconcileDeployment,
  HorizontalPodAutoscaler: reconcileAutoscaler,
  Ingress: reconcileIngress,
  Job: reconcileJob,
  Namespace: reconcileNamespace,
  PersistentVolume: reconcileVolume,
  PersistentVolumeClaim: reconcileClaim,
  Pod: reconcilePod,
  PodDisruptionBudget: reconcileBudget,
  ReplicaSet: reconcileReplicaSet,
  Service: reconcileService,
  StatefulSet: reconcileStatefulSet,
};
