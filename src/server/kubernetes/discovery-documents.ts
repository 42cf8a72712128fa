import { formatApiVersion } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { DiscoveredResource } from '../../kube/index.ts';

interface SubresourceKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** Subresources that are of another kind than what they are below of, by resource and name. */
const SUBRESOURCES = new Map<string, SubresourceKind>([
  ['pods/attach', { group: '', version: 'v1', kind: 'PodAttachOptions', verbs: ['create', 'get'] }],
  ['pods/binding', { group: '', version: 'v1', kind: 'Binding', verbs: ['create'] }],
  ['pods/eviction', { group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] }],
  ['pods/exec', { group: '', version: 'v1', kind: 'PodExecOptions', verbs: ['create', 'get'] }],
  ['pods/log', { group: '', version: 'v1', kind: 'Pod', verbs: ['get'] }],
  ['pods/portforward', { group: '', version: 'v1', kind: 'PodPortForwardOptions', verbs: ['create', 'get'] }],
  ['pods/proxy', { group: '', version: 'v1', kind: 'PodProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'] }],
  ['services/proxy', { group: '', version: 'v1', kind: 'ServiceProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'] }],
  ['nodes/proxy', { group: '', version: 'v1', kind: 'NodeProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'] }],
  ['namespaces/finalize', { group: '', version: 'v1', kind: 'Namespace', verbs: ['update'] }],
  ['serviceaccounts/token', { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] }],
]);
const SCALE: SubresourceKind = { group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] };

/** What `/api` or `/apis` says to a client that takes everything in one answer. */
export function aggregatedDiscovery(resources: readonly DiscoveredResource[], isCore: boolean, version: 'v2' | 'v2beta1'): JsonObject {
  const groups = [...groupsOf(resources)].filter(([group]) => (group === '') === isCore);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(([group, versions]) => ({
      metadata: group === '' ? { creationTimestamp: null } : { name: group, creationTimestamp: null },
      versions: versions.map(([name, members]) => ({ version: name, resources: members.map(aggregatedResource), freshness: 'Current' })),
    })),
  };
}

function aggregatedResource(resource: DiscoveredResource): JsonObject {
  const { group, version, plural, kind, namespaced, singular, verbs, shortNames, categories, subresources } = resource;
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((subresource) => {
        const { verbs: subresourceVerbs, ...responseKind } = subresourceKind(resource, subresource);
        return { subresource, responseKind, verbs: subresourceVerbs };
      }),
    }),
  };
}

export function coreVersions(): JsonObject {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
}

export function groupList(resources: readonly DiscoveredResource[]): JsonObject {
  const groups = [...groupsOf(resources)].filter(([group]) => group !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(([group, versions]) => groupEntry(group, versions)) };
}

/** Undefined for a group that is not served. */
export function groupDocument(resources: readonly DiscoveredResource[], group: string): JsonObject | undefined {
  const versions = groupsOf(resources).get(group);
  return versions && { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group, versions) };
}

function groupEntry(group: string, versions: readonly Versioned[]): JsonObject {
  const entries = versions.map(([version]) => ({ groupVersion: formatApiVersion({ group, version }), version }));
  return { name: group, versions: entries, preferredVersion: entries[0] ?? null };
}

export function resourceList(resources: readonly DiscoveredResource[], group: string, version: string): JsonObject | undefined {
  const members = resources.filter((resource) => resource.group === group && resource.version === version);
  if (members.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: formatApiVersion({ group, version }),
    resources: members.flatMap(resourceEntries),
  };
}

function resourceEntries(resource: DiscoveredResource): readonly JsonObject[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories, subresources } = resource;
  const lists = { ...(shortNames.length > 0 && { shortNames }), ...(categories.length > 0 && { categories }) };
  return [
    { name: plural, singularName: singular, namespaced, kind, verbs, ...lists },
    ...subresources.map((subresource) => {
      const { group, version, kind: ownKind, verbs: ownVerbs } = subresourceKind(resource, subresource);
      const isOther = group !== resource.group || version !== resource.version;
      return {
        name: `${plural}/${subresource}`,
        singularName: '',
        namespaced,
        ...(isOther && { group, version }),
        kind: ownKind,
        verbs: ownVerbs,
      };
    }),
  ];
}

function subresourceKind({ group, version, plural, kind }: DiscoveredResource, subresource: string): SubresourceKind {
  if (subresource === 'scale') return SCALE;
  return (
    (group === '' ? SUBRESOURCES.get(`${plural}/${subresource}`) : undefined) ?? { group, version, kind, verbs: ['get', 'patch', 'update'] }
  );
}

type Versioned = readonly [version: string, members: readonly DiscoveredResource[]];

/** By group and version; the preferred version of a group comes first. */
function groupsOf(resources: readonly DiscoveredResource[]): ReadonlyMap<string, readonly Versioned[]> {
  const groups = Map.groupBy(resources, ({ group }) => group);
  return new Map(
    [...groups].map(([group, members]) => {
      const versions = [...Map.groupBy(members, ({ version }) => version)];
      const isPreferred = ([, some]: Versioned): boolean => some.some(({ preferred }) => preferred);
      return [group, versions.sort((left, right) => Number(isPreferred(right)) - Number(isPreferred(left)))] as const;
    }),
  );
}
