import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from '../base/index.ts';
import { createLeaderElection } from '../kube/index.ts';
import type { Component } from './control-plane.ts';
import type { Home } from './home.ts';

/** Something that only one process of an installation may do. */
export interface Work {
  start(): void;
  /** Resolves when nothing of it is done any more. */
  stop(): Promise<void>;
}

export interface LeadOptions {
  /** Of the Lease. */
  readonly name: string;
  readonly home: Home;
  /** Made anew each time that this process comes to lead. */
  readonly create: () => Work;
  readonly log: Logger;
}

/**
 * Runs what only one process may do: always where the home is in this process, and where it is on a cluster, while this process holds the
 * Lease. The others stand by, and go on when it lets go or does not renew it.
 */
export function leadController({ name, home, create, log }: LeadOptions): Component {
  if (home.kind === 'embedded') {
    const work = create();
    return { name, start: () => work.start(), stop: () => work.stop() };
  }
  const election = createLeaderElection({
    api: home.api,
    namespace: home.namespace,
    name,
    identity: `${hostname()}_${randomUUID()}`,
    log,
    async lead(signal) {
      const work = create();
      work.start();
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      await work.stop();
    },
  });
  return { name, start: () => election.start(), stop: () => election.stop() };
}
