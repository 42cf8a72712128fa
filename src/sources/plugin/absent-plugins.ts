import type { Timers } from '../../base/index.ts';

/** Which plugins listened a while ago and do not now. */
export interface AbsentPlugins {
  /** Told of all that listen. Answers with the names of those that did within that time, and are not among them. */
  look(names: readonly string[]): readonly string[];
}

/** A plugin that is started anew takes its socket away until it listens again, which may be minutes where it fails at first. */
const ABSENCE_MS = 10 * 60_000;

export function createAbsentPlugins(timers: Pick<Timers, 'nowMs'>): AbsentPlugins {
  const lastSeenMs = new Map<string, number>();
  return {
    look(names) {
      const atMs = timers.nowMs();
      for (const name of names) lastSeenMs.set(name, atMs);
      for (const [name, seenMs] of lastSeenMs) if (atMs - seenMs >= ABSENCE_MS) lastSeenMs.delete(name);
      return [...lastSeenMs.keys()].filter((name) => !names.includes(name));
    },
  };
}
