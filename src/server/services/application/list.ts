import { ApiError, Code, mapBounded } from '../../../base/index.ts';
import type { Application, ApplicationList, ApplicationQuery } from '../../../contract/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import type { ApplicationFacts } from './application-facts.ts';
import { applicationsByName, type KnownApplication } from './applications-by-name.ts';
import { withEncodedItems } from './encoded-applications.ts';
import { isExtended } from './filter-applications.ts';
import { askForRefresh } from './get.ts';
import { createSelection, requireSynced } from './select-applications.ts';

/** How many applications one list has compared anew at most, from its first on, and how many are marked for it at once. */
const REFRESHED_MAX = 1_000;
const REFRESHED_AT_ONCE = 10;
/** What says nothing of the application, and would be said of the next one as well. */
const OUTAGES: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.ResourceExhausted]);

/**
 * The applications that the query means and the caller may see, by name. What they may not see is left out without a word. With `refresh`
 * those that it gives are to be compared anew; they are shown as they are before that, also where that cannot be asked for.
 */
export async function listApplications(context: ApplicationServiceOptions, query: ApplicationQuery, call: Call): Promise<ApplicationList> {
  const { matches } = createSelection(context, call, query);
  const putInOrder = createOrder(query.orderBy ?? '');
  const [offset, limit] = [readCount(query, 'offset') ?? 0, readCount(query, 'limit')];
  await requireSynced(context, call.signal);
  const found = putInOrder(applicationsByName(context.applications).filter(({ application, facts }) => matches(application, facts)));
  const metadata = { resourceVersion: context.applications.resourceVersion };
  const given = isExtended(query) ? found.slice(offset, limit === undefined ? undefined : offset + limit) : found;
  const items = given.map(({ application }) => application);
  if (query.refresh) await refreshAll(context, items, query.refresh, call.signal);
  if (!isExtended(query)) return withEncodedItems({ metadata, items });
  const left = found.length - offset - items.length;
  return { metadata: { ...metadata, ...(left > 0 && { remainingItemCount: left }) }, items, stats: countUp(found) };
}

async function refreshAll(
  context: ApplicationServiceOptions,
  applications: readonly Application[],
  refresh: string,
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  let isOver = false;
  await mapBounded(applications.slice(0, REFRESHED_MAX), REFRESHED_AT_ONCE, async ({ metadata: { namespace = '', name = '' } }) => {
    if (isOver || signal.aborted) return;
    try {
      await askForRefresh(context, { namespace, name }, refresh === 'hard' ? 'hard' : 'normal', signal);
    } catch (error) {
      // One that was deleted meanwhile needs no look.
      if (codeOf(error) === Code.NotFound) return;
      failures.push(error);
      // Nobody waits for one answer after the other that does not come.
      isOver ||= OUTAGES.has(codeOf(error));
    }
  });
  const [error] = failures;
  if (error !== undefined && !signal.aborted)
    context.log.warn('applications of a list could not be marked to be compared anew', { count: failures.length, error });
}

function codeOf(error: unknown): Code {
  return error instanceof ApiError ? error.code : Code.Internal;
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
