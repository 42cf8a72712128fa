import { builtinDefaults } from '../../objects/index.ts';
import type { KindRules } from '../kinds/kind.ts';
import * as cluster from './cluster.ts';
import { service } from './services.ts';
import * as workloads from './workloads.ts';

type Prepare = Pick<KindRules, 'prepareCreate' | 'prepareUpdate'>;

const PREPARE = new Map<string, Prepare>([
  ['/Event', cluster.event],
  ['/Namespace', cluster.namespace],
  ['/PersistentVolume', cluster.persistentVolume],
  ['/PersistentVolumeClaim', cluster.persistentVolumeClaim],
  ['/Pod', workloads.pod],
  ['/ReplicationController', workloads.replicationController],
  ['/ResourceQuota', cluster.resourceQuota],
  ['/Service', service],
  ['apiregistration.k8s.io/APIService', cluster.apiService],
  ['apps/DaemonSet', workloads.daemonSet],
  ['apps/Deployment', workloads.deployment],
  ['apps/ReplicaSet', workloads.replicaSet],
  ['apps/StatefulSet', workloads.statefulSet],
  ['autoscaling/HorizontalPodAutoscaler', cluster.horizontalPodAutoscaler],
  ['batch/CronJob', workloads.cronJob],
  ['batch/Job', workloads.job],
  ['events.k8s.io/Event', cluster.newEvent],
  ['flowcontrol.apiserver.k8s.io/FlowSchema', cluster.flowSchema],
  ['networking.k8s.io/Ingress', cluster.ingress],
  ['policy/PodDisruptionBudget', cluster.podDisruptionBudget],
  ['rbac.authorization.k8s.io/ClusterRole', cluster.role],
  ['rbac.authorization.k8s.io/Role', cluster.role],
]);

/** What a built-in kind gets where a client leaves something out, as the API server of the reference version sets it. */
export function defaultsOf(group: string, kind: string): Pick<KindRules, 'setDefaults' | 'prepareCreate' | 'prepareUpdate'> {
  const setDefaults = builtinDefaults(group, kind);
  return { ...PREPARE.get(`${group}/${kind}`), ...(setDefaults && { setDefaults }) };
}
