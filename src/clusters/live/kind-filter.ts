import type { ResourceType } from '../../kube/index.ts';
import { matchesGlob } from '../../model/index.ts';
import type { ResourceFilter } from '../../settings/index.ts';

export interface KindFilterOptions {
  readonly exclusions: readonly ResourceFilter[];
  readonly inclusions: readonly ResourceFilter[];
  /** The cluster that is looked at. */
  readonly server: string;
}

type GroupKind = Pick<ResourceType, 'group' | 'kind'>;

/** What nobody wants in a tree and what changes all the time. */
const NEVER_GROUPS: readonly string[] = ['events.k8s.io', 'metrics.k8s.io'];
const NEVER_KINDS: readonly GroupKind[] = [
  { group: '', kind: 'Event' },
  { group: 'coordination.k8s.io', kind: 'Lease' },
];

/** Whether a kind is looked at. Exclusions win; where anything is included for the cluster, only that is looked at. */
export function isKindIncluded(type: GroupKind, { exclusions, inclusions, server }: KindFilterOptions): boolean {
  if (NEVER_GROUPS.includes(type.group)) return false;
  if (NEVER_KINDS.some(({ group, kind }) => group === type.group && kind === type.kind)) return false;
  if (exclusions.some((filter) => namesCluster(filter, server) && namesKind(filter, type))) return false;
  const applying = inclusions.filter((filter) => namesCluster(filter, server));
  return applying.length === 0 || applying.some((filter) => namesKind(filter, type));
}

function namesCluster({ clusters }: ResourceFilter, server: string): boolean {
  return clusters.length === 0 || clusters.some((pattern) => matchesGlob(pattern, server));
}

function namesKind({ apiGroups, kinds }: ResourceFilter, { group, kind }: GroupKind): boolean {
  const hasGroup = apiGroups.length === 0 || apiGroups.some((pattern) => matchesGlob(pattern, group));
  return hasGroup && (kinds.length === 0 || kinds.some((one) => one === '*' || one === kind));
}
