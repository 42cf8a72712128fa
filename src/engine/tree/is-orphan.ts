import type { OrphanedResourcesMonitorSettings } from '../../contract/index.ts';
import { matchesGlob } from '../../model/index.ts';
import type { ResourceKey } from '../resource-key.ts';

type OrphanedResourceKey = NonNullable<OrphanedResourcesMonitorSettings['ignore']>[number];

/** What Kubernetes makes in namespaces by itself. */
const MADE_BY_CLUSTER: readonly Partial<ResourceKey>[] = [
  { group: '', kind: 'Service', namespace: 'default', name: 'kubernetes' },
  { group: '', kind: 'ServiceAccount', name: 'default' },
  { group: '', kind: 'ConfigMap', name: 'kube-root-ca.crt' },
];

/** Whether an object that no application has may be called orphaned, by what its project does not want to hear of. */
export function isOrphan(key: ResourceKey, ignored: readonly OrphanedResourceKey[]): boolean {
  const isMadeByCluster = MADE_BY_CLUSTER.some((known) =>
    Object.entries(known).every(([part, value]) => key[part as keyof ResourceKey] === value),
  );
  return !isMadeByCluster && !ignored.some((one) => isIgnored(key, one));
}

/** Without a kind or a name it means any; without a group, the core one. */
function isIgnored(key: ResourceKey, { group = '', kind = '', name = '' }: OrphanedResourceKey): boolean {
  return (
    (group === key.group || matchesGlob(group, key.group)) &&
    (kind === '' || matchesGlob(kind, key.kind)) &&
    (name === '' || matchesGlob(name, key.name))
  );
}
