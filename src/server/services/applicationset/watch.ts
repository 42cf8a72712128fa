import type { ApplicationSetWatchEvent, ApplicationSetWatchQuery } from '../../../contract/index.ts';
import type { ObjectChange } from '../../../kube/index.ts';
import { readApplicationSet } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import { ChangeQueue } from '../application/change-queue.ts';
import type { RecentDeletions } from '../application/recent-deletions.ts';
import { requireSynced, type ApplicationSetServiceOptions } from './application-set-context.ts';
import { createSelection, selectApplicationSets } from './select-application-sets.ts';

/** Changes that may wait for one slow client. */
const pendingMax = 1_000;

const EVENT_TYPES = { added: 'ADDED', changed: 'MODIFIED', removed: 'DELETED' } as const;

/** Changes of application sets as they happen. Who asks for one by name is first told how it is; who knows them up to a version, what is new. */
export async function* watchApplicationSets(
  context: ApplicationSetServiceOptions & { readonly deletions: RecentDeletions },
  query: ApplicationSetWatchQuery,
  call: Call,
): AsyncIterable<ApplicationSetWatchEvent> {
  const { name = '', projects = [], selector = '' } = query;
  const namespace = name === '' ? query.appSetNamespace : query.appSetNamespace || context.namespace;
  const matches = createSelection(context, call, { name, projects, selector, ...(namespace && { namespace }) });
  await requireSynced(context, call.signal);
  const queue = new ChangeQueue<ObjectChange>(pendingMax);
  const newerThan = Number(query.resourceVersion || 0) || 0;
  const unsubscribe = context.applicationSets.subscribe((change) => queue.push(change));
  try {
    const present = name === '' && !query.resourceVersion ? [] : [...selectApplicationSets(context.applicationSets.values(), matches)];
    if (name !== '') {
      const gone = present.length === 0 ? context.deletions.find({ namespace: namespace ?? '', name }) : undefined;
      const last = gone && readApplicationSet(gone);
      if (last !== undefined && matches(last)) yield { type: 'DELETED', applicationSet: last };
      for (const applicationSet of present) yield { type: 'ADDED', applicationSet };
    } else if (query.resourceVersion) {
      for (const applicationSet of context.deletions.after(newerThan).map(readApplicationSet).filter(matches))
        yield { type: 'DELETED', applicationSet };
      for (const applicationSet of present) if (versionOf(applicationSet) > newerThan) yield { type: 'ADDED', applicationSet };
    }
    while (!call.signal.aborted) {
      for (const { type, object } of await queue.take(call.signal)) {
        const applicationSet = readApplicationSet(object);
        // What was found to be gone has the version at which it was last seen.
        const isOld = type !== 'removed' && versionOf(object) < newerThan;
        if (!isOld && matches(applicationSet)) yield { type: EVENT_TYPES[type], applicationSet };
      }
    }
  } finally {
    unsubscribe();
  }
}

function versionOf({ metadata }: { readonly metadata: { readonly resourceVersion?: string } }): number {
  return Number(metadata.resourceVersion ?? 0);
}
