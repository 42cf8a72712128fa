import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationList, ApplicationQuery } from '../../../contract/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import type { ApplicationFacts } from './application-facts.ts';
import { applicationsByName, type KnownApplication } from './applications-by-name.ts';
import { withEncodedItems } from './encoded-applications.ts';
import { isExtended } from './filter-applications.ts';
import { createSelection, requireSynced } from './select-applications.ts';

/** The applications that the query means and the caller may see, by name. What they may not see is left out without a word. */
export async function listApplications(context: ApplicationServiceOptions, query: ApplicationQuery, call: Call): Promise<ApplicationList> {
  const { matches } = createSelection(context, call, query);
  const putInOrder = createOrder(query.orderBy ?? '');
  const [offset, limit] = [readCount(query, 'offset') ?? 0, readCount(query, 'limit')];
  await requireSynced(context, call.signal);
  const found = putInOrder(applicationsByName(context.applications).filter(({ application, facts }) => matches(application, facts)));
  const metadata = { resourceVersion: context.applications.resourceVersion };
  if (!isExtended(query)) return withEncodedItems({ metadata, items: found.map(({ application }) => application) });
  const items = found.slice(offset, limit === undefined ? undefined : offset + limit).map(({ application }) => application);
  const left = found.length - offset - items.length;
  return { metadata: { ...metadata, ...(left > 0 && { remainingItemCount: left }) }, items, stats: countUp(found) };
}

function readCount(query: ApplicationQuery, name: 'offset' | 'limit'): number | undefined {
  const count = query[name];
  if (count === undefined) return undefined;
  if (!Number.isSafeInteger(count) || count < 0) throw new ApiError(Code.InvalidArgument, `${name} must not be negative`);
  // No limit is what clients of this kind mean by zero.
  return name === 'limit' && count === 0 ? undefined : count;
}

const RANKS: Readonly<Record<string, (facts: ApplicationFacts) => string>> = {
  name: ({ name }) => name,
  createdAt: ({ createdAt }) => createdAt,
  syncedAt: ({ syncedAt }) => syncedAt,
  health: ({ health }) => health,
  sync: ({ sync }) => sync,
};

/** Puts what is in the order of names into the one that is asked for; what is the same there stays by name. */
function createOrder(orderBy: string): (applications: readonly KnownApplication[]) => readonly KnownApplication[] {
  const isReversed = orderBy.startsWith('-');
  const name = (isReversed ? orderBy.slice(1) : orderBy) || 'name';
  const rank = Object.hasOwn(RANKS, name) ? RANKS[name] : undefined;
  if (rank === undefined) throw new ApiError(Code.InvalidArgument, `orderBy must be one of ${Object.keys(RANKS).join(', ')}`);
  if (name === 'name' && !isReversed) return (applications) => applications;
  return (applications) =>
    applications.toSorted(({ facts: one }, { facts: other }) =>
      isReversed ? compareTexts(rank(other), rank(one)) : compareTexts(rank(one), rank(other)),
    );
}

function countUp(applications: readonly KnownApplication[]): NonNullable<ApplicationList['stats']> {
  const [clusters, namespaces, repos] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [syncs, healths] = [new Map<string, number>(), new Map<string, number>()];
  let autoSyncEnabledCount = 0;
  for (const { facts } of applications) {
    const { cluster, destinationNamespace, repos: ownRepos, sync, health, isAutoSynced } = facts;
    clusters.add(cluster);
    namespaces.add(destinationNamespace);
    for (const repo of ownRepos) repos.add(repo);
    syncs.set(sync, (syncs.get(sync) ?? 0) + 1);
    healths.set(health, (healths.get(health) ?? 0) + 1);
    if (isAutoSynced) autoSyncEnabledCount += 1;
  }
  return {
    total: applications.length,
    totalBySyncStatus: Object.fromEntries(syncs),
    totalByHealthStatus: Object.fromEntries(healths),
    autoSyncEnabledCount,
    clusters: sorted(clusters),
    namespaces: sorted(namespaces),
    repos: sorted(repos),
  };
}

function sorted(texts: ReadonlySet<string>): string[] {
  return [...texts].filter((text) => text !== '').sort();
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
