import type { ResourceType } from '../../src/kube/index.ts';

const core = (plural: string, kind: string, namespaced = true): ResourceType => ({ group: '', version: 'v1', plural, kind, namespaced });

/** Kinds that tests of a Kubernetes API use. */
export const kinds = {
  configMap: core('configmaps', 'ConfigMap'),
  event: core('events', 'Event'),
  secret: core('secrets', 'Secret'),
  pod: core('pods', 'Pod'),
  serviceAccount: core('serviceaccounts', 'ServiceAccount'),
  namespace: core('namespaces', 'Namespace', false),
  node: core('nodes', 'Node', false),
  deployment: { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true },
  replicaSet: { group: 'apps', version: 'v1', plural: 'replicasets', kind: 'ReplicaSet', namespaced: true },
  appProject: { group: 'argoproj.io', version: 'v1alpha1', plural: 'appprojects', kind: 'AppProject', namespaced: true },
  apiService: { group: 'apiregistration.k8s.io', version: 'v1', plural: 'apiservices', kind: 'APIService', namespaced: false },
  clusterRoleBinding: {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    plural: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    namespaced: false,
  },
} as const satisfies Record<string, ResourceType>;
