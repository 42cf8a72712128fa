import { isStatusError } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import type { DiscoveredResource, ResourceType } from '../../../kube/index.ts';
import type { ServedApi } from '../served-api.ts';
import {
  bindingColumns,
  claimColumns,
  configMapColumns,
  createdColumns,
  eventColumns,
  leaseColumns,
  namespaceColumns,
  networkPolicyColumns,
  nodeColumns,
  secretColumns,
  serviceAccountColumns,
  volumeColumns,
} from './cluster-columns.ts';
import { ageColumn, nameColumn } from './column.ts';
import type { Column } from './column.ts';
import { endpointsColumns, endpointSliceColumns, ingressColumns, serviceColumns } from './network-columns.ts';
import { podColumns } from './pod-columns.ts';
import { printerColumns } from './printer-columns.ts';
import {
  autoscalerColumns,
  cronJobColumns,
  daemonSetColumns,
  deploymentColumns,
  jobColumns,
  replicaSetColumns,
  statefulSetColumns,
} from './workload-columns.ts';

const DEFINITIONS: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

/** By group and plural, whatever the version. */
const COLUMNS = new Map<string, readonly Column[]>([
  ['/pods', podColumns],
  ['/services', serviceColumns],
  ['/endpoints', endpointsColumns],
  ['/configmaps', configMapColumns],
  ['/secrets', secretColumns],
  ['/namespaces', namespaceColumns],
  ['/nodes', nodeColumns],
  ['/events', eventColumns],
  ['events.k8s.io/events', eventColumns],
  ['/persistentvolumeclaims', claimColumns],
  ['/persistentvolumes', volumeColumns],
  ['/serviceaccounts', serviceAccountColumns],
  ['/replicationcontrollers', replicaSetColumns],
  ['apps/deployments', deploymentColumns],
  ['apps/replicasets', replicaSetColumns],
  ['apps/statefulsets', statefulSetColumns],
  ['apps/daemonsets', daemonSetColumns],
  ['batch/jobs', jobColumns],
  ['batch/cronjobs', cronJobColumns],
  ['autoscaling/horizontalpodautoscalers', autoscalerColumns],
  ['networking.k8s.io/ingresses', ingressColumns],
  ['networking.k8s.io/networkpolicies', networkPolicyColumns],
  ['discovery.k8s.io/endpointslices', endpointSliceColumns],
  ['coordination.k8s.io/leases', leaseColumns],
  ['rbac.authorization.k8s.io/roles', createdColumns],
  ['rbac.authorization.k8s.io/clusterroles', createdColumns],
  ['rbac.authorization.k8s.io/rolebindings', bindingColumns],
  ['rbac.authorization.k8s.io/clusterrolebindings', bindingColumns],
  ['apiextensions.k8s.io/customresourcedefinitions', createdColumns],
]);

/** What a table of a kind shows: what people know of the common kinds, what a custom kind says itself, else name and age. */
export async function columnsOf(api: ServedApi, { group, version, plural }: DiscoveredResource): Promise<readonly Column[]> {
  const known = COLUMNS.get(`${group}/${plural}`);
  if (known !== undefined) return known;
  if (!group.includes('.')) return [nameColumn, ageColumn];
  try {
    const definition = await api.get(DEFINITIONS, { name: `${plural}.${group}` });
    return printerColumns(definition as unknown as JsonObject, version);
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return [nameColumn, ageColumn];
    throw error;
  }
}
