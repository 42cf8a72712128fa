import type { Timers } from '../../base/index.ts';
import type { EventRecorder } from '../../kube/index.ts';
import type { Application, ApplicationStatus } from '../../model/index.ts';
import { describeStatusChange, recordApplicationEvents } from './application-events.ts';

/** How long a change may be followed by others that are told with it; longer while an operation runs, as it will change more. */
const untoldMs = 1_000;
const untoldMaxMs = 10_000;

/**
 * Tells of what became of the states of applications. What comes and goes within a moment, as while a sync runs that nobody has to wait for,
 * is told as one change: each event is a request. Trouble is told at once, and so however short it was.
 */
export interface StatusChanges {
  /** The application as it is now, and its status before. */
  notice(application: Application, before: ApplicationStatus | undefined): void;
  /** Tells of everything that is untold. */
  stop(): void;
}

interface Untold {
  readonly before: ApplicationStatus | undefined;
  application: Application;
  readonly sinceMs: number;
  cancel: () => void;
}

export function createStatusChanges({ events, timers }: { readonly events: EventRecorder; readonly timers: Timers }): StatusChanges {
  const untold = new Map<string, Untold>();
  const tell = (uid: string): void => {
    const change = untold.get(uid);
    if (change === undefined) return;
    untold.delete(uid);
    change.cancel();
    const { application, before } = change;
    recordApplicationEvents(events, application, describeStatusChange(before, application.status ?? {}));
  };
  const tellSoon = (uid: string): (() => void) =>
    timers.schedule(untoldMs, () => {
      const change = untold.get(uid);
      if (change?.application.operation && timers.nowMs() - change.sinceMs < untoldMaxMs) change.cancel = tellSoon(uid);
      else tell(uid);
    });
  return {
    notice(application, before) {
      const uid = application.metadata.uid ?? '';
      const known = untold.get(uid);
      if (known !== undefined) known.application = application;
      else if (describeStatusChange(before, application.status ?? {}).length > 0)
        untold.set(uid, { before, application, sinceMs: timers.nowMs(), cancel: tellSoon(uid) });
      // Who looks at its events sees it before what somebody does about it.
      if (isTrouble(application.status) && !isTrouble(before)) tell(uid);
    },
    stop() {
      for (const uid of untold.keys()) tell(uid);
    },
  };
}

function isTrouble(status: ApplicationStatus | undefined): boolean {
  return status?.health?.status === 'Degraded';
}
