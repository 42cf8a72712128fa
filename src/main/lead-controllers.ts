import type { Logger } from '../base/index.ts';
import { createLeaderElection, type ObjectStore } from '../kube/index.ts';
import type { Component } from './control-plane.ts';
import type { Home } from './home.ts';
import { createProcessIdentity, hasProcessEnded } from './process-identity.ts';

/** Something that only one process of an installation may do. */
export interface Work {
  start(): void;
  /** Resolves when nothing of it is done any more. What is under way may end in order, until `lost` is aborted: then it is cut off. */
  stop(lost?: AbortSignal): Promise<void>;
}

/** Made anew each time that this process comes to lead. */
export type CreateWork = () => Work;

export interface LeadOptions {
  readonly home: Home;
  readonly works: readonly CreateWork[];
  /** What must have been read before any of it starts, as far as it can be read at all. */
  readonly stores: readonly ObjectStore[];
  readonly log: Logger;
}

const leaseName = 'fairway-controller';
/** How long a start waits for what controllers read; later it is read in the background. */
const readLimitMs = 30_000;

/**
 * Runs what only one process may do: always where the home is in this process, and where it is on a cluster, while this process holds the
 * Lease. The others stand by, and go on when it lets go or does not renew it.
 */
export function leadControllers({ home, works, stores, log }: LeadOptions): Component {
  // Nobody who only looks has to be the only one.
  const running = home.kind === 'embedded' || home.readOnly === true ? runAlways(works) : runWhileLeading(home, works, log);
  let isStopped = false;
  return {
    name: 'controllers',
    async start() {
      // A controller that knows no project yet would call every application invalid.
      for (const store of stores) {
        const isRead = await store.whenSynced(readLimitMs);
        // Whoever gives up a start must find nothing begun after it.
        if (isStopped) return;
        if (!isRead) log.warn('objects are not read yet', { kind: store.type.kind });
      }
      running.start();
    },
    async stop() {
      isStopped = true;
      await running.stop();
    },
  };
}

function runAlways(works: readonly CreateWork[]): Work {
  const created = works.map((create) => create());
  return { start: () => created.forEach((work) => work.start()), stop: (lost) => stopAll(created, lost) };
}

function runWhileLeading({ api, namespace }: Home, works: readonly CreateWork[], log: Logger): Work {
  return createLeaderElection({
    api,
    namespace,
    name: leaseName,
    identity: createProcessIdentity(),
    hasEnded: hasProcessEnded,
    log,
    async lead(signal, lost) {
      const running = runAlways(works);
      running.start();
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      await running.stop(lost);
    },
  });
}

async function stopAll(works: readonly Work[], lost?: AbortSignal): Promise<void> {
  await Promise.all(works.map((work) => work.stop(lost)));
}
