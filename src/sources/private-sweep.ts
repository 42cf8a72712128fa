import type { Clock, Logger, Timers } from '../base/index.ts';
import type { SourceLimits } from './limits.ts';
import { sweepPrivateFolders } from './private-folder.ts';

export interface PrivateSweepOptions {
  readonly folder: string;
  readonly limits: Pick<SourceLimits, 'inUseMs'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
}

const SWEEP_EVERY_MS_MIN = 1_000;

/** Sweeps private folders at once, and then often enough for those in use to be known as such. */
export function startPrivateSweep({ folder, limits: { inUseMs }, clock, timers, log }: PrivateSweepOptions): { stop(): Promise<void> } {
  const stuck = new Set<string>();
  let isStopped = false;
  let cancel = (): void => undefined;

  /** Once for each. */
  function onStuck(path: string, error: unknown): void {
    if (stuck.has(path)) return;
    stuck.add(path);
    log.warn('a private folder could not be removed', { path, error });
  }

  async function sweep(): Promise<void> {
    try {
      await sweepPrivateFolders(folder, { nowMs: clock.nowMs(), inUseMs, onStuck });
    } catch (error) {
      log.warn('private folders could not be swept', { error });
    }
    if (!isStopped) cancel = timers.schedule(Math.max(inUseMs / 2, SWEEP_EVERY_MS_MIN), begin);
  }

  let sweeping = sweep();
  function begin(): void {
    sweeping = sweep();
  }

  return {
    async stop() {
      isStopped = true;
      cancel();
      await sweeping;
    },
  };
}
