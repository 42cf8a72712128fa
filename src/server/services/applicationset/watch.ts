import { LruMap, type Clock } from '../../../base/index.ts';
import type { ApplicationSetWatchEvent, ApplicationSetWatchQuery } from '../../../contract/index.ts';
import type { ObjectChange, ObjectStore } from '../../../kube/index.ts';
import { readApplicationSet } from '../../../model/index.ts';
import type { KubeObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { ChangeQueue } from '../application/change-queue.ts';
import { requireSynced, type ApplicationSetServiceOptions } from './application-set-context.ts';
import { createSelection, selectApplicationSets } from './select-application-sets.ts';

/** Changes that may wait for one slow client. */
const pendingMax = 1_000;
const deletionsMax = 1_000;
const deletionKeptMs = 60_000;

const EVENT_TYPES = { added: 'ADDED', changed: 'MODIFIED', removed: 'DELETED' } as const;

/** What was deleted a moment ago: clients delete, and only then begin to watch for the end. */
export type FindDeletion = (namespace: string, name: string) => KubeObject | undefined;

export function rememberDeletions(applicationSets: ObjectStore, clock: Clock): FindDeletion {
  const deleted = new LruMap<string, { readonly object: KubeObject; readonly atMs: number }>(deletionsMax);
  applicationSets.subscribe(({ type, object }) => {
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
    if (type === 'removed') deleted.set(key, { object, atMs: clock.nowMs() });
  });
  return (namespace, name) => {
    const found = deleted.get(`${namespace}/${name}`);
    return found !== undefined && clock.nowMs() - found.atMs < deletionKeptMs ? found.object : undefined;
  };
}

/** Changes of application sets as they happen. Who asks for one by name is first told how it is. */
export async function* watchApplicationSets(
  context: ApplicationSetServiceOptions & { readonly findDeletion: FindDeletion },
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
    if (name !== '') {
      const present = [...selectApplicationSets(context.applicationSets.values(), matches)];
      const gone = present.length === 0 ? context.findDeletion(namespace ?? '', name) : undefined;
      const last = gone && readApplicationSet(gone);
      if (last !== undefined && matches(last)) yield { type: 'DELETED', applicationSet: last };
      for (const applicationSet of present) yield { type: 'ADDED', applicationSet };
    }
    while (!call.signal.aborted) {
      for (const { type, object } of await queue.take(call.signal)) {
        const applicationSet = readApplicationSet(object);
        if (Number(object.metadata.resourceVersion) < newerThan || !matches(applicationSet)) continue;
        yield { type: EVENT_TYPES[type], applicationSet };
      }
    }
  } finally {
    unsubscribe();
  }
}
