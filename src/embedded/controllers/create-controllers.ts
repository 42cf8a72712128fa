import type { Logger } from '../../base/index.ts';
import type { EmbeddedControllers } from '../embedded-api.ts';
import type { Change } from '../storage/store.ts';
import type { VerbContext } from '../verbs/verb-context.ts';
import { createGarbageCollector } from './garbage-collector.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createNamespaceController } from './namespace-controller.ts';

export interface Controllers {
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
  /** Looks now for what is too old, and not only when its time has come. */
  keepHouse(): void;
  stop(): Promise<void>;
}

export interface ControllerOptions {
  readonly context: VerbContext;
  readonly log: Logger;
  readonly housekeepingMs: number;
  /** History is compacted out of turn when this many changes wait for it. */
  readonly historyChangesMax: number;
  readonly enabled: EmbeddedControllers;
}

/** What runs beside the API: namespaces that go, garbage collection, and what expires. */
export function createControllers({ context, log, housekeepingMs, historyChangesMax, enabled }: ControllerOptions): Controllers {
  const { store, history } = context;
  const namespaces = enabled.namespaces === false ? undefined : createNamespaceController(context, log);
  const collector = enabled.garbageCollection === false ? undefined : createGarbageCollector(context, log);
  const housekeeping = enabled.expiry === false ? undefined : createHousekeeping(context, log);
  const loops = [namespaces, collector, housekeeping].filter((loop) => loop !== undefined);
  const stopObserving = store.onCommit((changes: readonly Change[]) => {
    namespaces?.observe(changes);
    collector?.observe(changes);
    if (store.committedVersion - history.compactedVersion > historyChangesMax * 1.2) housekeeping?.add('compact', 'compact');
  });
  namespaces?.scan();
  collector?.scan();
  const timer = housekeeping && setInterval(() => housekeeping.look(), housekeepingMs).unref();
  return {
    idle: async () => {
      // One controller's work can be another's cause.
      do for (const loop of loops) await loop.idle();
      while (loops.some((loop) => !loop.isIdle));
    },
    keepHouse: () => housekeeping?.look(),
    stop: async () => {
      clearInterval(timer);
      stopObserving();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
