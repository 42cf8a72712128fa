import type { ApplicationQuery, ApplicationWatchEvent } from '../../../contract/index.ts';
import type { ObjectChange } from '../../../kube/index.ts';
import { readApplication, type Application } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { ChangeQueue } from './change-queue.ts';
import type { RecentDeletions } from './recent-deletions.ts';
import { withResourceHealth } from './resource-health.ts';
import { createSelection, requireSynced, selectApplications } from './select-applications.ts';

/** Changes that may wait for one slow client. */
const pendingMax = 1_000;

const EVENT_TYPES = { added: 'ADDED', changed: 'MODIFIED', removed: 'DELETED' } as const;

/**
 * Changes of applications as they happen, from the one watch that all clients share. First, unless the client knows them from a version on,
 * those that there are.
 */
export async function* watchApplications(
  context: ApplicationServiceOptions & { readonly deletions: RecentDeletions },
  query: ApplicationQuery,
  call: Call,
): AsyncIterable<ApplicationWatchEvent> {
  const named = query.name ? { ...query, appNamespace: query.appNamespace || context.namespace } : query;
  const matches = createSelection(context, call, named);
  await requireSynced(context, call.signal);
  const queue = new ChangeQueue<ObjectChange>(pendingMax);
  const newerThan = Number(query.resourceVersion || 0) || 0;
  const unsubscribe = context.applications.subscribe((change) => queue.push(change));
  try {
    if (!query.resourceVersion || query.name) {
      const present = [...selectApplications(context.applications.values(), matches)];
      present.sort((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1));
      const gone = query.name ? context.deletions.find({ name: query.name, namespace: named.appNamespace ?? '' }) : undefined;
      const last = gone && readApplication(gone);
      if (last !== undefined && present.length === 0 && matches(last)) yield { type: 'DELETED', application: last };
      for (const application of present) yield { type: 'ADDED', application: withResourceHealth(context, application) };
    }
    while (!call.signal.aborted) {
      for (const { type, object } of await queue.take(call.signal)) {
        const application = readApplication(object);
        if (Number(object.metadata.resourceVersion) < newerThan || !matches(application)) continue;
        yield { type: EVENT_TYPES[type], application: withResourceHealth(context, application) };
      }
    }
  } finally {
    unsubscribe();
  }
}

function pathOf({ metadata }: Application): string {
  return `${metadata.namespace}/${metadata.name}`;
}
