import type { Clock, Logger, Timers } from '../../base/index.ts';
import type { Snapshot } from '../../settings/index.ts';
import type { ClustersLimits } from '../clusters.ts';
import type { Registration } from '../registration/registration.ts';
import type { ChangeBatch } from './change-batch.ts';
import type { EventCounts } from './event-counts.ts';
import type { LiveRules } from './live-rules.ts';

/** What the parts of one cache share from its start to its end. */
export interface CacheContext {
  readonly registration: Registration;
  /** As they are now: which kinds are followed may change while the cache lives. */
  readonly snapshot: () => Snapshot;
  readonly rules: LiveRules;
  /** Called when the cluster has said which kinds it serves. */
  readonly onDiscovered: () => void;
  readonly batch: ChangeBatch;
  readonly events: EventCounts;
  readonly shareText: (text: string) => string;
  readonly limits: ClustersLimits;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  readonly log: Logger;
}
