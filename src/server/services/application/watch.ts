import type { ApplicationQuery, ApplicationWatchEvent } from '../../../contract/index.ts';
import type { ObjectChange } from '../../../kube/index.ts';
import { readApplication, type Application } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { ChangeQueue } from './change-queue.ts';
import { encodedEvent, readStored } from './encoded-applications.ts';
import { isExtended } from './filter-applications.ts';
import type { RecentDeletions } from './recent-deletions.ts';
import { withResourceHealth } from './resource-health.ts';
import { createSelection, requireSynced, selectApplications } from './select-applications.ts';

/** Changes that may wait for one slow client. */
const pendingMax = 1_000;

const EVENT_TYPES = { added: 'ADDED', changed: 'MODIFIED', removed: 'DELETED' } as const;
type EventType = (typeof EVENT_TYPES)[keyof typeof EVENT_TYPES];

/**
 * Changes of applications as they happen, from the one watch that all clients share. First those that there are; where the client knows
 * them up to a version, what has changed since.
 */
export async function* watchApplications(
  context: ApplicationServiceOptions & { readonly deletions: RecentDeletions },
  query: ApplicationQuery,
  call: Call,
): AsyncIterable<ApplicationWatchEvent> {
  const named = query.name ? { ...query, appNamespace: query.appNamespace || context.namespace } : query;
  const { matches, isVisible } = createSelection(context, call, named);
  // Who asks with a filter that applications enter and leave is told of both.
  const inside = isExtended(query) ? new Set<string>() : undefined;
  const healthOf = (application: Application): Application => healthOfNow(context, application);
  await requireSynced(context, call.signal);
  const queue = new ChangeQueue<ObjectChange>(pendingMax);
  const newerThan = Number(query.resourceVersion || 0) || 0;
  const unsubscribe = context.applications.subscribe((change) => queue.push(change));
  try {
    const present = [...selectApplications(context.applications.values(), matches)];
    for (const application of present) inside?.add(pathOf(application));
    if (!query.resourceVersion || query.name) {
      present.sort((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1));
      const gone = query.name ? context.deletions.find({ name: query.name, namespace: named.appNamespace ?? '' }) : undefined;
      const last = gone && readApplication(gone);
      if (last !== undefined && present.length === 0 && matches(last)) yield { type: 'DELETED', application: last };
      for (const application of present) yield encodedEvent('ADDED', healthOf(application));
    } else {
      const gone = context.deletions
        .after(newerThan)
        .map(readApplication)
        .filter((application) => matches(application));
      for (const application of gone) yield { type: 'DELETED', application };
      // Whether the client knows one of them already cannot be told; clients take one that is added again for changed.
      for (const application of present) if (versionOf(application) > newerThan) yield encodedEvent('ADDED', healthOf(application));
    }
    while (!call.signal.aborted) {
      for (const { type, object } of await queue.take(call.signal)) {
        const application = readStored(object);
        // What was found to be gone has the version at which it was last seen.
        if (type !== 'removed' && versionOf(object) < newerThan) continue;
        const isMeant = matches(application);
        const event = inside === undefined ? isMeant && EVENT_TYPES[type] : eventOf(inside, pathOf(application), type, isMeant);
        if (event === false) continue;
        if (isMeant || isVisible(application)) yield encodedEvent(event, healthOf(application));
        else yield { type: event, application: nameOnly(application) };
      }
    }
  } finally {
    unsubscribe();
  }
}

/** What was found for other watchers in this same moment: what lives does not change before the next turn of the event loop. */
const found = new Map<Application, Application>();

function healthOfNow(context: ApplicationServiceOptions, application: Application): Application {
  if (found.size === 0) setImmediate(() => found.clear());
  const known = found.get(application) ?? withResourceHealth(context, application);
  found.set(application, known);
  return known;
}

/** What a change means to those who see only what is inside; false where it means nothing to them. */
function eventOf(inside: Set<string>, path: string, type: ObjectChange['type'], isMeant: boolean): EventType | false {
  const wasInside = inside.has(path);
  if (type === 'removed' || !isMeant) return inside.delete(path) && 'DELETED';
  inside.add(path);
  return wasInside ? 'MODIFIED' : 'ADDED';
}

/** Of what somebody may no longer see, they learn only that. */
function nameOnly({ metadata: { name = '', namespace = '' } }: Application): Application {
  return { metadata: { name, namespace }, spec: { project: '', destination: {} } };
}

function versionOf({ metadata }: { readonly metadata: { readonly resourceVersion?: string } }): number {
  return Number(metadata.resourceVersion ?? 0);
}

function pathOf({ metadata }: Application): string {
  return `${metadata.namespace}/${metadata.name}`;
}
