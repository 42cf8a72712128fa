/**
 * Rules of built-in kinds beyond types and metadata. Covered are those that users meet: what must be there for a workload, Service, claim,
 * Ingress, autoscaler, binding or Secret to make sense, and what cannot change afterwards. Values that Kubernetes checks further (formats of
 * addresses, cron schedules, probes, security contexts, affinity and so on) are stored as they are given.
 */
import type { KindRules } from '../kinds/kind.ts';
import * as cluster from './cluster.ts';
import * as workloads from './workloads.ts';

const VALIDATIONS = new Map<string, NonNullable<KindRules['validate']>>([
  ['/ConfigMap', cluster.validateConfigMap],
  ['/PersistentVolumeClaim', cluster.validatePersistentVolumeClaim],
  ['/Pod', workloads.validatePod],
  ['/ReplicationController', workloads.validatePodTemplateOwner],
  ['/Secret', cluster.validateSecret],
  ['/Service', cluster.validateService],
  ['apps/DaemonSet', workloads.validateSelecting],
  ['apps/Deployment', workloads.validateSelecting],
  ['apps/ReplicaSet', workloads.validateSelecting],
  ['apps/StatefulSet', workloads.validateStatefulSet],
  ['autoscaling/HorizontalPodAutoscaler', cluster.validateHorizontalPodAutoscaler],
  ['batch/CronJob', workloads.validateCronJob],
  ['batch/Job', workloads.validateJob],
  ['coordination.k8s.io/Lease', cluster.validateLease],
  ['networking.k8s.io/Ingress', cluster.validateIngress],
  ['rbac.authorization.k8s.io/ClusterRole', cluster.validateRole],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', cluster.validateRoleBinding],
  ['rbac.authorization.k8s.io/Role', cluster.validateRole],
  ['rbac.authorization.k8s.io/RoleBinding', cluster.validateRoleBinding],
]);

export function validationOf(group: string, kind: string): Pick<KindRules, 'validate'> {
  const validate = VALIDATIONS.get(`${group}/${kind}`);
  return validate === undefined ? {} : { validate };
}
