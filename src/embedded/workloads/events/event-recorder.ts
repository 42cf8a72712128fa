import type { Clock, Logger } from '../../../base/index.ts';
import { formatTime } from '../../../objects/index.ts';
import type { JsonObject, KubeObject } from '../../../objects/index.ts';
import type { KubeApi } from '../../../kube/index.ts';
import { apiVersionOf } from '../view.ts';
import type { View } from '../view.ts';

const EVENTS = { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true } as const;
/** Events that are remembered so that the next of the same is counted there. */
const REMEMBERED_MAX = 2_000;

/** Something that happened to an object, in the words that people know from a cluster. */
export interface EventFacts {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Who says so, as `replicaset-controller`. */
  readonly component: string;
  readonly host?: string;
  /** The part of the object that it is about, as `spec.containers{main}`. */
  readonly fieldPath?: string;
}

/** Writes Events. Nobody waits for them, and a failure to write one is no failure of what it tells of. */
export interface EventRecorder {
  record(about: View, facts: EventFacts): void;
  readonly pending: number;
  /** Resolves when what was recorded so far is written. */
  flushed(): Promise<void>;
}

interface Known {
  readonly name: string;
  count: number;
}

export function createEventRecorder({ api, clock, log }: { api: KubeApi; clock: Clock; log: Logger }): EventRecorder {
  const known = new Map<string, Known>();
  const pending = new Set<Promise<void>>();
  let made = 0;

  async function write(about: View, facts: EventFacts): Promise<void> {
    const id = [about.uid, facts.reason, facts.message, facts.fieldPath ?? ''].join('\n');
    const time = formatTime(clock.nowMs());
    const namespace = about.namespace === '' ? 'default' : about.namespace;
    const same = known.get(id);
    if (same !== undefined) {
      same.count += 1;
      const body: JsonObject = { count: same.count, lastTimestamp: time };
      await api.patch(EVENTS, { namespace, name: same.name }, { type: 'merge', body }, { fieldManager: facts.component });
      return;
    }
    made += 1;
    const name = `${about.name}.${(clock.nowMs() * 1_000 + (made % 1_000)).toString(16)}`;
    known.set(id, { name, count: 1 });
    for (const oldest of known.keys()) {
      if (known.size <= REMEMBERED_MAX) break;
      known.delete(oldest);
    }
    await api.create(EVENTS, eventOf(about, facts, { name, namespace, time }), { fieldManager: facts.component });
  }

  return {
    record: (about, facts) => {
      const work = write(about, facts).catch((error: unknown) => {
        // Its object, its namespace or the Event that it would be counted in may be gone.
        log.debug('an Event about a simulated workload was not written', { object: about.name, reason: facts.reason, error });
      });
      pending.add(work);
      void work.then(() => pending.delete(work));
    },
    get pending() {
      return pending.size;
    },
    flushed: async () => {
      await Promise.all(pending);
    },
  };
}

interface Place {
  readonly name: string;
  readonly namespace: string;
  readonly time: string;
}

function eventOf(
  about: View,
  { type, reason, message, component, host, fieldPath }: EventFacts,
  { name, namespace, time }: Place,
): KubeObject {
  const { kind, uid, metadata } = about;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject: {
      kind,
      ...(about.namespace !== '' && { namespace: about.namespace }),
      name: about.name,
      uid,
      apiVersion: apiVersionOf(kind),
      ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
      ...(fieldPath !== undefined && { fieldPath }),
    },
    reason,
    message,
    source: { component, ...(host !== undefined && { host }) },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: host ?? '',
  } as unknown as KubeObject;
}
