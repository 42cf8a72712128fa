import * as cluster from './cluster.ts';
import * as devices from './devices.ts';
import * as services from './services.ts';
import type { SetDefaults } from './set-defaults.ts';
import * as workloads from './workloads.ts';

const DEFAULTS = new Map<string, SetDefaults>([
  ['/Endpoints', cluster.endpoints],
  ['/LimitRange', cluster.limitRange],
  ['/Namespace', cluster.namespace],
  ['/Node', cluster.node],
  ['/PersistentVolume', cluster.persistentVolume],
  ['/PersistentVolumeClaim', cluster.persistentVolumeClaim],
  ['/Pod', workloads.pod],
  ['/PodTemplate', workloads.podTemplate],
  ['/ReplicationController', workloads.replicationController],
  ['/Secret', cluster.secret],
  ['/Service', services.service],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', cluster.webhookConfiguration],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicy', cluster.admissionPolicy],
  ['admissionregistration.k8s.io/MutatingAdmissionPolicyBinding', cluster.admissionPolicyBinding],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', cluster.admissionPolicy],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', cluster.admissionPolicyBinding],
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
  ['flowcontrol.apiserver.k8s.io/FlowSchema', cluster.flowSchema],
  ['networking.k8s.io/NetworkPolicy', cluster.networkPolicy],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', cluster.binding],
  ['rbac.authorization.k8s.io/RoleBinding', cluster.binding],
  ['resource.k8s.io/ResourceClaim', devices.resourceClaim],
  ['resource.k8s.io/ResourceClaimTemplate', devices.resourceClaimTemplate],
  ['scheduling.k8s.io/PriorityClass', cluster.priorityClass],
  ['storage.k8s.io/CSIDriver', cluster.csiDriver],
  ['storage.k8s.io/StorageClass', cluster.storageClass],
  ['apiextensions.k8s.io/CustomResourceDefinition', cluster.customResourceDefinition],
]);

/** Sets what a client may leave out of a built-in kind, as the API server of the reference version does; undefined where that is nothing. */
export function builtinDefaults(group: string, kind: string): SetDefaults | undefined {
  return DEFAULTS.get(`${group}/${kind}`);
}
