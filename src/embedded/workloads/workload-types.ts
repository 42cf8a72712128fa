import type { ResourceType } from '../../kube/index.ts';

function resource(group: string, plural: string, kind: string, more: Partial<ResourceType> = {}): ResourceType {
  return { group, version: 'v1', plural, kind, namespaced: true, ...more };
}

/** The kinds that the simulation reads or writes, by their names. */
export const workloadTypes = {
  ConfigMap: resource('', 'configmaps', 'ConfigMap'),
  ControllerRevision: resource('apps', 'controllerrevisions', 'ControllerRevision'),
  CronJob: resource('batch', 'cronjobs', 'CronJob'),
  DaemonSet: resource('apps', 'daemonsets', 'DaemonSet'),
  Deployment: resource('apps', 'deployments', 'Deployment'),
  EndpointSlice: resource('discovery.k8s.io', 'endpointslices', 'EndpointSlice'),
  Endpoints: resource('', 'endpoints', 'Endpoints'),
  HorizontalPodAutoscaler: resource('autoscaling', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', { version: 'v2' }),
  Ingress: resource('networking.k8s.io', 'ingresses', 'Ingress'),
  Job: resource('batch', 'jobs', 'Job'),
  Namespace: resource('', 'namespaces', 'Namespace', { namespaced: false }),
  Node: resource('', 'nodes', 'Node', { namespaced: false }),
  PersistentVolume: resource('', 'persistentvolumes', 'PersistentVolume', { namespaced: false }),
  PersistentVolumeClaim: resource('', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
  Pod: resource('', 'pods', 'Pod'),
  PodDisruptionBudget: resource('policy', 'poddisruptionbudgets', 'PodDisruptionBudget'),
  ReplicaSet: resource('apps', 'replicasets', 'ReplicaSet'),
  Service: resource('', 'services', 'Service'),
  ServiceAccount: resource('', 'serviceaccounts', 'ServiceAccount'),
  StatefulSet: resource('apps', 'statefulsets', 'StatefulSet'),
  StorageClass: resource('storage.k8s.io', 'storageclasses', 'StorageClass', { namespaced: false }),
} as const;

export type WorkloadKind = keyof typeof workloadTypes;

export function isWorkloadKind(kind: string): kind is WorkloadKind {
  return Object.hasOwn(workloadTypes, kind);
}
