import type { ApplicationDestination, AppProject, ApplicationSource, ClusterResourceRestrictionItem } from '../../contract/index.ts';
import type { ClusterIdentity } from '../destination.ts';
import { isNegation, matchesGlob, matchesGlobOrNegation } from '../glob.ts';
import { expressionOf, matchesQuickly } from './namespace-expression.ts';
import { normalizeRepositoryUrl } from '../normalize-repository-url.ts';

/** What of the world outside the project its rules ask for. */
export interface ProjectSurroundings {
  /** The clusters whose Secret names the project; they are allowed without being listed. */
  readonly scopedClusters?: readonly ScopedCluster[];
  /** The repositories whose Secret names the project; they are allowed without being listed. */
  readonly scopedRepositories?: readonly string[];
}

export interface ScopedCluster extends ClusterIdentity {
  /** Empty where the whole cluster is meant. */
  readonly namespaces?: readonly string[];
}

/** Whether a project allows a repository. One pattern with `!` that the address fails denies, whatever else allows it. */
export function permitsSource(
  project: AppProject,
  { repoURL }: ApplicationSource,
  { scopedRepositories = [] }: ProjectSurroundings = {},
): boolean {
  if (isAmbiguous(repoURL)) return false;
  const address = normalizeRepositoryUrl(repoURL);
  let isMatched = false;
  for (const pattern of [...(project.spec.sourceRepos ?? []), ...scopedRepositories]) {
    const normalized = isNegation(pattern) ? `!${normalizeRepositoryUrl(pattern.slice(1))}` : normalizeRepositoryUrl(pattern);
    if (matchesGlobOrNegation(normalized, address, { separator: '/' })) isMatched = true;
    else if (isNegation(pattern)) return false;
  }
  return isMatched;
}

/**
 * Whether whoever fetches from an address could end up elsewhere than where it seems to lead: one that steps back, also where the dots are
 * escaped, or holds what some readers drop or take for a slash.
 */
function isAmbiguous(address: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\u0000- \u007f\\]/.test(address)) return true;
  return address
    .replaceAll(/%2e/gi, '.')
    .split(/[/:]|%2f|%5c/i)
    .some((part) => part === '..' || part === '.');
}

/** Whether a project allows a namespace of a cluster. */
export function permitsDestination(
  project: AppProject,
  cluster: ClusterIdentity,
  namespace: string,
  { scopedClusters = [] }: ProjectSurroundings = {},
): boolean {
  if (project.spec.permitOnlyProjectScopedClusters === true && !scopedClusters.some(({ server }) => server === cluster.server))
    return false;
  let isMatched = false;
  for (const item of [...(project.spec.destinations ?? []), ...scopedClusters.flatMap(destinationsOf)]) {
    const match = matchDestination(item, cluster, namespace);
    if (match === 'denied') return false;
    if (match === 'allowed') isMatched = true;
  }
  return isMatched;
}

function destinationsOf({ server, namespaces = [] }: ScopedCluster): ApplicationDestination[] {
  return namespaces.length === 0 ? [{ server, namespace: '*' }] : namespaces.map((namespace) => ({ server, namespace }));
}

function matchDestination(item: ApplicationDestination, cluster: ClusterIdentity, namespace: string): 'allowed' | 'denied' | undefined {
  const { name = '', server = '' } = item;
  const nameFits = cluster.name !== '' && matchesGlobOrNegation(name, cluster.name);
  const serverFits = cluster.server !== '' && matchesGlobOrNegation(server, cluster.server);
  const namespaceFits = matchesGlobOrNegation(item.namespace ?? '', namespace);
  if ((serverFits || nameFits) && namespaceFits) return 'allowed';
  const isDenied =
    (!nameFits && isNegation(name)) ||
    (!serverFits && isNegation(server) && namespaceFits) ||
    (!namespaceFits && isNegation(item.namespace ?? '') && serverFits);
  return isDenied ? 'denied' : undefined;
}

export interface ResourceToPermit {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespaced: boolean;
}

/** Whether a project allows a kind. A list of allowed kinds that is there and empty allows none; one that is absent allows all with a namespace. */
export function permitsKind({ spec }: AppProject, resource: ResourceToPermit): boolean {
  if (resource.namespaced) {
    const allowed = spec.namespaceResourceWhitelist;
    return (allowed === undefined || isListed(allowed, resource)) && !isListed(spec.namespaceResourceBlacklist ?? [], resource);
  }
  return isListed(spec.clusterResourceWhitelist ?? [], resource) && !isListed(spec.clusterResourceBlacklist ?? [], resource);
}

function isListed(list: readonly ClusterResourceRestrictionItem[], { group, kind, name }: ResourceToPermit): boolean {
  return list.some(
    (item) =>
      matchesGlob(item.group, group, { separator: '/' }) &&
      matchesGlob(item.kind, kind, { separator: '/' }) &&
      ((item.name ?? '') === '' || matchesGlob(item.name ?? '', name, { separator: '/' })),
  );
}

/** Whether a project allows an object that exists: its kind, and where it is. An object without a namespace is cluster-scoped. */
export function permitsLiveResource(
  project: AppProject,
  resource: { readonly group: string; readonly kind: string; readonly namespace: string; readonly name: string },
  cluster: ClusterIdentity,
  surroundings: ProjectSurroundings = {},
): boolean {
  const { namespace } = resource;
  if (!permitsKind(project, { ...resource, namespaced: namespace !== '' })) return false;
  return namespace === '' || permitsDestination(project, cluster, namespace, surroundings);
}

/** Whether applications of a namespace may use a project. A pattern between slashes is a regular expression. */
export function permitsApplicationNamespace({ metadata, spec }: AppProject, namespace: string, controlPlaneNamespace: string): boolean {
  if (namespace === '' || namespace === controlPlaneNamespace || namespace === metadata.namespace) return true;
  return (spec.sourceNamespaces ?? []).some((pattern) => {
    const expression = expressionOf(pattern);
    return expression === undefined ? matchesGlob(pattern, namespace) : matchesQuickly(expression, namespace);
  });
}

/** Whether a namespace fits a pattern of the settings, or a regular expression between slashes. */
export function matchesNamespace(pattern: string, namespace: string): boolean {
  const expression = expressionOf(pattern);
  if (expression === undefined) return matchesGlob(pattern, namespace);
  try {
    return new RegExp(expression).test(namespace);
  } catch {
    // An expression that cannot be read allows nobody.
    return false;
  }
}
