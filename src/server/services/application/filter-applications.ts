import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationQuery } from '../../../contract/index.ts';
import { findDestination, type Application } from '../../../model/index.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import type { ApplicationFacts } from './application-facts.ts';

/** A text that somebody looks for is a name or a part of one. */
const searchCharactersMax = 256;

/** Whether a query asks for more than it could always ask for: then the answer says more, too. */
export function isExtended(query: ApplicationQuery): boolean {
  const { minName, maxName, repos, clusters, namespaces, autoSyncEnabled, syncStatuses, healthStatuses, search, offset, limit } = query;
  const lists = [repos, clusters, namespaces, syncStatuses, healthStatuses];
  const values = [minName, maxName, autoSyncEnabled, search, offset, limit, query.orderBy, query.needsAttention];
  return lists.some((list) => list !== undefined && list.length > 0) || values.some((value) => value !== undefined);
}

/** The newer conditions of a query; an application must fulfil all of them. Throws ApiError for what makes no sense. */
export function createFilter(
  context: ApplicationServiceOptions,
  query: ApplicationQuery,
): (application: Application, facts: ApplicationFacts) => boolean {
  const { minName = '', maxName = '', autoSyncEnabled, search = '' } = query;
  if (search.length > searchCharactersMax)
    throw new ApiError(Code.InvalidArgument, `search must not be longer than ${searchCharactersMax} characters`);
  const wanted = search.toLowerCase();
  const [repos, clusters, namespaces] = [setOf(query.repos), setOf(query.clusters), setOf(query.namespaces)];
  const [syncStatuses, healthStatuses] = [setOf(query.syncStatuses), setOf(query.healthStatuses)];
  return (application, facts) =>
    (minName === '' || facts.name >= minName) &&
    (maxName === '' || facts.name <= maxName) &&
    (wanted === '' || facts.lowerName.includes(wanted)) &&
    (query.needsAttention === undefined || facts.needsAttention === query.needsAttention) &&
    (autoSyncEnabled === undefined || facts.isAutoSynced === autoSyncEnabled) &&
    (namespaces.size === 0 || namespaces.has(facts.destinationNamespace)) &&
    (syncStatuses.size === 0 || syncStatuses.has(facts.sync)) &&
    (healthStatuses.size === 0 || healthStatuses.has(facts.health)) &&
    (repos.size === 0 || facts.repos.some((repo) => repos.has(repo))) &&
    (clusters.size === 0 || namesOfCluster(context, application).some((one) => clusters.has(one)));
}

function setOf(list: readonly string[] | undefined): ReadonlySet<string> {
  return new Set(list ?? []);
}

/** A destination may be given by server or by name; both mean the same cluster. */
function namesOfCluster({ clusters }: ApplicationServiceOptions, { spec }: Application): readonly string[] {
  const { server = '', name = '' } = spec.destination;
  try {
    const found = findDestination(spec.destination, clusters.list());
    return [found.server, found.name];
  } catch {
    // One that nobody knows is still called what it is called.
    return [server, name];
  }
}
