import { numberAt, textAt, valueAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { conditionsOf, health } from './condition.ts';
import type { Condition } from './condition.ts';
import type { Health, HealthStatusCode } from './health-status.ts';

type Rule = (object: JsonObject) => Health;

export interface ConditionRule {
  /** All of these must be true for the object to be well. */
  readonly good: readonly string[];
  /** One of these that is true is a failure. */
  readonly bad?: readonly string[];
  /** While one of these is true, what is not well yet may still become so. */
  readonly busy?: readonly string[];
  /** Reasons for which a condition of `good` is false only for now. */
  readonly busyReasons?: readonly string[];
  /** Conditions that are true while the object is held on purpose. */
  readonly paused?: readonly string[];
  /** A field that is true while the object is held on purpose. */
  readonly suspended?: readonly string[];
  /** What is neither true nor false is a failure, and not on its way. */
  readonly isUnknownBad?: boolean;
}

/** Judges by conditions, as most controllers report: true is well, false is not, and anything else is on its way. */
export function byConditions(rule: ConditionRule): Rule {
  const { good, bad = [], busy = [], busyReasons = [], paused = [], suspended, isUnknownBad = false } = rule;
  return (object) => {
    if (suspended && valueAt(object, suspended) === true) return health('Suspended', 'held on purpose');
    if (isUnobserved(object)) return health('Progressing', 'Waiting for the controller to see the latest change');
    const conditions = conditionsOf(object);
    if (conditions.some((condition) => good.includes(condition.type) && isStale(object, condition)))
      return health('Progressing', 'Waiting for the controller to see the latest change');
    const find = (types: readonly string[], status: string): Condition | undefined =>
      conditions.find((condition) => types.includes(condition.type) && condition.status === status);
    const failure = find(bad, 'True');
    if (failure) return health('Degraded', failure.message || failure.reason);
    const refused = find(good, 'False') ?? (isUnknownBad ? find(good, 'Unknown') : undefined);
    if (refused) {
      const isBusy = find(busy, 'True') !== undefined || busyReasons.includes(refused.reason);
      return health(isBusy ? 'Progressing' : 'Degraded', refused.message || refused.reason);
    }
    const held = find(paused, 'True');
    if (held) return health('Suspended', held.message || held.reason);
    const met = good.map((type) => find([type], 'True'));
    if (met.every((condition) => condition !== undefined)) return health('Healthy', met[0]?.message);
    return health('Progressing', `Waiting for ${good.join(' and ')}`);
  };
}

/** Judges by one word in the status, such as a phase; a word that is not listed is on its way. */
export function byPhase(path: readonly string[], words: Readonly<Record<string, HealthStatusCode>>): Rule {
  return (object) => {
    if (isUnobserved(object)) return health('Progressing', 'Waiting for the controller to see the latest change');
    const phase = textAt(object, ...path);
    const message = textAt(object, 'status', 'message');
    return health(Object.hasOwn(words, phase) ? (words[phase] ?? 'Progressing') : 'Progressing', message);
  };
}

function isStale(object: JsonObject, { observedGeneration = -1 }: Condition): boolean {
  return observedGeneration >= 0 && observedGeneration < (numberAt(object, 'metadata', 'generation') ?? 0);
}

function isUnobserved(object: JsonObject): boolean {
  const observed = numberAt(object, 'status', 'observedGeneration');
  // Some begin with -1, which says nothing.
  return observed !== undefined && observed >= 0 && observed < (numberAt(object, 'metadata', 'generation') ?? 0);
}
