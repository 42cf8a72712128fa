import type { KindRules } from '../kinds/kind.ts';
import * as cluster from './cluster.ts';
import { service } from './services.ts';
import * as workloads from './workloads.ts';

type Defaults = Pick<KindRules, 'setDefaults' | 'prepareCreate' | 'prepareUpdate'>;

const DEFAULTS = new Map<string, Defaults>([
  ['/Endpoints', cluster.endpoints],
  ['/Event', cluster.event],
  ['/LimitRange', cluster.limitRange],
  ['/Namespace', cluster.namespace],
  ['/Node', cluster.node],
  ['/PersistentVolume', cluster.persistentVolume],
  ['/PersistentVolumeClaim', cluster.persistentVolumeClaim],
  ['/Pod', workloads.pod],
  ['/PodTemplate', workloads.podTemplate],
  ['/ReplicationController', workloads.replicationController],
  ['/ResourceQuota', cluster.resourceQuota],
  ['/Secret', cluster.secret],
  ['/Service', service],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', cluster.webhookConfiguration],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', cluster.webhookConfiguration],
  ['apiregistration.k8s.io/APIService', cluster.apiService],
  ['apps/DaemonSet', workloads.daemonSet],
  ['apps/Deployment', workloads.deployment],
  ['apps/ReplicaSet', workloads.replicaSet],
  ['apps/StatefulSet', workloads.statefulSet],
  ['autoscaling/HorizontalPodAutoscaler', cluster.horizontalPodAutoscaler],
  ['batch/CronJob', workloads.cronJob],
  ['batch/Job', workloads.job],
  ['discovery.k8s.io/EndpointSlice', cluster.endpointSlice],
  ['events.k8s.io/Event', cluster.newEvent],
  ['flowcontrol.apiserver.k8s.io/FlowSchema', cluster.flowSchema],
  ['networking.k8s.io/Ingress', cluster.ingress],
  ['networking.k8s.io/NetworkPolicy', cluster.networkPolicy],
  ['policy/PodDisruptionBudget', cluster.podDisruptionBudget],
  ['rbac.authorization.k8s.io/ClusterRole', cluster.role],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', cluster.binding],
  ['rbac.authorization.k8s.io/Role', cluster.role],
  ['rbac.authorization.k8s.io/RoleBinding', cluster.binding],
  ['scheduling.k8s.io/PriorityClass', cluster.priorityClass],
  ['storage.k8s.io/CSIDriver', cluster.csiDriver],
  ['storage.k8s.io/StorageClass', cluster.storageClass],
]);

/** What a built-in kind gets where a client leaves something out, as the API server of the reference version sets it. */
export function defaultsOf(group: string, kind: string): Defaults {
  return DEFAULTS.get(`${group}/${kind}`) ?? {};
}
