import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationList, ApplicationQuery } from '../../../contract/index.ts';
import { sourcesOf, type Application } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { withEncodedItems } from './encoded-applications.ts';
import { isAutoSynced, isExtended } from './filter-applications.ts';
import { createSelection, requireSynced, selectApplications } from './select-applications.ts';

/** The applications that the query means and the caller may see, by name. What they may not see is left out without a word. */
export async function listApplications(context: ApplicationServiceOptions, query: ApplicationQuery, call: Call): Promise<ApplicationList> {
  const { matches } = createSelection(context, call, query);
  const order = createOrder(query.orderBy ?? '');
  const [offset, limit] = [readCount(query, 'offset') ?? 0, readCount(query, 'limit')];
  await requireSynced(context, call.signal);
  const found = [...selectApplications(context.applications.values(), matches)].sort(order);
  const metadata = { resourceVersion: context.applications.resourceVersion };
  if (!isExtended(query)) return withEncodedItems({ metadata, items: found });
  const items = found.slice(offset, limit === undefined ? undefined : offset + limit);
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

const RANKS: Readonly<Record<string, (application: Application) => string>> = {
  name: ({ metadata }) => metadata.name ?? '',
  createdAt: ({ metadata }) => metadata.creationTimestamp ?? '',
  syncedAt: ({ status }) => status?.operationState?.finishedAt ?? '',
  health: ({ status }) => status?.health?.status ?? 'Unknown',
  sync: ({ status }) => status?.sync?.status ?? 'Unknown',
};

/** By what is asked for, and where that is the same by name and namespace. */
function createOrder(orderBy: string): (one: Application, other: Application) => number {
  const isReversed = orderBy.startsWith('-');
  const name = (isReversed ? orderBy.slice(1) : orderBy) || 'name';
  const rank = Object.hasOwn(RANKS, name) ? RANKS[name] : undefined;
  if (rank === undefined) throw new ApiError(Code.InvalidArgument, `orderBy must be one of ${Object.keys(RANKS).join(', ')}`);
  const byName = (one: Application, other: Application): number =>
    compareTexts(one.metadata.name ?? '', other.metadata.name ?? '') ||
    compareTexts(one.metadata.namespace ?? '', other.metadata.namespace ?? '');
  return (one, other) => (isReversed ? compareTexts(rank(other), rank(one)) : compareTexts(rank(one), rank(other))) || byName(one, other);
}

function countUp(applications: readonly Application[]): NonNullable<ApplicationList['stats']> {
  const [clusters, namespaces, repos] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const application of applications) {
    const { server = '', name = '', namespace = '' } = application.spec.destination;
    clusters.add(server || name);
    namespaces.add(namespace);
    for (const { repoURL } of sourcesOf(application)) repos.add(repoURL);
  }
  return {
    total: applications.length,
    totalBySyncStatus: countBy(applications, ({ status }) => status?.sync?.status ?? 'Unknown'),
    totalByHealthStatus: countBy(applications, ({ status }) => status?.health?.status ?? 'Unknown'),
    autoSyncEnabledCount: applications.filter(isAutoSynced).length,
    clusters: sorted(clusters),
    namespaces: sorted(namespaces),
    repos: sorted(repos),
  };
}

function countBy(applications: readonly Application[], nameOf: (application: Application) => string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const application of applications) counts.set(nameOf(application), (counts.get(nameOf(application)) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function sorted(texts: ReadonlySet<string>): string[] {
  return [...texts].filter((text) => text !== '').sort();
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
