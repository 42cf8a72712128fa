import type { CompareRules, ObjectComparison, ServerPrediction, TrackingRules } from '../../engine/index.ts';
import type { KubeObject, Schema } from '../../objects/index.ts';
import type { AttemptedTarget } from './attempted-target.ts';
import { higherLevel, type RefreshLevel } from './plan-refresh.ts';

/** What this process remembers of an application between two looks at it. Losing it costs only work. */
export interface ApplicationMemory {
  /** What was asked for since the last comparison. */
  requested: RefreshLevel | undefined;
  /** Where that was a fresh revision: since when it has to have been asked for, on the clock of the wall. */
  freshSinceMs: number | undefined;
  /** When this process saw that its spec changed, on the clock of the wall; undefined where it was so when the process started. */
  specSeenMs: number | undefined;
  /** When its revisions were last asked for, on the clock of the wall. */
  comparedMs: number | undefined;
  /** How long that holds, with its share of chance. */
  expiryMs: number | undefined;
  /** Since when its sources cannot be rendered. */
  failingSinceMs: number | undefined;
  /** What the last sync was to, as far as this process did it. */
  attempted: AttemptedTarget | undefined;
  /** Since when a running operation waits for its cluster to be there again. */
  outageSinceMs: number | undefined;
  /** How often in a row somebody else had written to it before we could. */
  conflicts: number;
  /** How often in a row what lives could not be read for something that does not pass by itself. */
  lastingTroubles: number;
  isKnown: boolean;
  rules: { readonly key: string; readonly rules: CompareRules } | undefined;
  desired: RememberedTargets | undefined;
  comparisons: ReadonlyMap<string, RememberedComparison>;
  predictions: ReadonlyMap<string, RememberedPrediction>;
}

/** The marked and placed form of rendered objects. */
export interface RememberedTargets {
  readonly rendered: readonly KubeObject[];
  readonly tracking: TrackingRules;
  /** What else it was made with. */
  readonly key: string;
  readonly resources: readonly unknown[];
  readonly objects: readonly KubeObject[];
  readonly conditions: readonly { readonly type: string; readonly message: string }[];
}

export interface RememberedComparison {
  readonly desired: KubeObject | undefined;
  readonly live: KubeObject | undefined;
  readonly rules: CompareRules;
  readonly schema: Schema | undefined;
  readonly onServer: ServerPrediction | undefined;
  readonly result: ObjectComparison;
}

export interface RememberedPrediction {
  readonly desired: KubeObject;
  /** The uid and the resource version of the live object. */
  readonly version: string;
  readonly prediction: ServerPrediction;
}

/** Asks for a comparison. A revision that was asked for at `nowMs` or before is not fresh. */
export function requestRefresh(memory: ApplicationMemory, level: RefreshLevel, nowMs: number): void {
  memory.requested = higherLevel(memory.requested, level);
  if (level === 'fresh-revision') memory.freshSinceMs = Math.max(memory.freshSinceMs ?? nowMs, nowMs);
}

export function createMemory(): ApplicationMemory {
  return {
    requested: undefined,
    freshSinceMs: undefined,
    specSeenMs: undefined,
    comparedMs: undefined,
    expiryMs: undefined,
    failingSinceMs: undefined,
    attempted: undefined,
    outageSinceMs: undefined,
    conflicts: 0,
    lastingTroubles: 0,
    isKnown: false,
    rules: undefined,
    desired: undefined,
    comparisons: new Map(),
    predictions: new Map(),
  };
}
