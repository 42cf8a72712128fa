import type { Clock, Logger } from '../../base/index.ts';
import { createSemaphore } from '../../base/index.ts';
import { formatTime, isStatusError, type KubeObject } from '../../objects/index.ts';
import type { KubeApi, ResourceType } from '../kube-api.ts';

/** What an event is about, as far as the event names it. */
export interface InvolvedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** Those of them that `labelsFor` chooses are copied to the event. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface EventNote {
  readonly about: InvolvedObject;
  readonly reason: string;
  readonly isWarning?: boolean;
  readonly message: string;
  /** Who says it, such as `argocd-server`. */
  readonly component: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Where the event is kept, if not beside what it is about. */
  readonly namespace?: string;
  /** Nobody waits for it: it goes behind the work that it tells of, which needs the same API. */
  readonly isPatient?: boolean;
}

/** Writes Kubernetes Events. A note about what was done must never undo or hold up what was done, so nothing is ever thrown. */
export interface EventRecorder {
  /** Resolves when the event is kept, or when it is certain that it cannot be; the reason is then in the log. */
  record(note: EventNote): Promise<void>;
}

export interface EventRecorderOptions {
  readonly api: KubeApi;
  /** For what has no namespace of its own. */
  readonly namespace: string;
  readonly isEnabled?: (reason: string) => boolean;
  readonly labelsFor?: (labels: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly log: Logger;
}

const eventType: ResourceType = { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true };

/** How many are written at once, and how many more may wait: a home that does not answer must not fill the memory with notes. */
const URGENT = { runningMax: 8, waitingMax: 2_000 };
const PATIENT = { runningMax: 1, waitingMax: 10_000 };
const messageMax = 4_096;
/** Room for the mark that makes names differ. */
const nameMax = 230;

export function createEventRecorder({ api, namespace, isEnabled, labelsFor, clock, log }: EventRecorderOptions): EventRecorder {
  const urgent = createSemaphore(URGENT);
  const patient = createSemaphore(PATIENT);
  let lastNanos = 0n;
  let lost = 0;

  /** Of this moment, and never twice the same. */
  const nextNanos = (): bigint => {
    const now = BigInt(clock.nowMs()) * 1_000_000n;
    lastNanos = now > lastNanos ? now : lastNanos + 1n;
    return lastNanos;
  };

  const write = async (event: KubeObject): Promise<void> => {
    try {
      await api.create(eventType, event, { fieldManager: 'argocd' });
    } catch (error) {
      // A namespace that is going away takes no more events, and nobody will read them.
      const isLeaving = isStatusError(error, 'NotFound', 'Forbidden');
      log[isLeaving ? 'debug' : 'warn']('an event could not be kept', { event: event.metadata.name, error });
    }
  };

  return {
    async record(note) {
      if (isEnabled?.(note.reason) === false) return;
      const event = buildEvent(note, { namespace, nanos: nextNanos(), now: formatTime(clock.nowMs()), labelsFor });
      const written = (note.isPatient === true ? patient : urgent).tryRun(() => write(event));
      if (written !== undefined) return written;
      lost += 1;
      if (lost === 1 || lost % 1_000 === 0) log.warn('events are lost, as the home is too slow to take them', { lost });
    },
  };
}

interface Surroundings {
  readonly namespace: string;
  readonly nanos: bigint;
  readonly now: string;
  readonly labelsFor: EventRecorderOptions['labelsFor'];
}

function buildEvent(note: EventNote, { namespace, nanos, now, labelsFor }: Surroundings): KubeObject {
  const { about, reason, isWarning = false, message, component, annotations } = note;
  const { labels: given = {}, ...involved } = about;
  const labels = labelsFor?.(given) ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: `${about.name.slice(0, nameMax)}.${nanos.toString(16)}`,
      namespace: note.namespace ?? about.namespace ?? namespace,
      ...(annotations && { annotations: { ...annotations } }),
      ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
    },
    involvedObject: { ...involved },
    reason,
    type: isWarning ? 'Warning' : 'Normal',
    message: message.length > messageMax ? `${message.slice(0, messageMax - 1)}…` : message,
    source: { component },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
}
