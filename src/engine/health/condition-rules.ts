import { isJsonObject, listAt, numberAt, textAt, valueAt } from '../../objects/index.ts';
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
  /** A field that is true while the object is held on purpose. */
  readonly suspended?: readonly string[];
}

/** Judges by conditions, as most controllers report: true is well, false is not, and anything else is on its way. */
export function byConditions({ good, bad = [], busy = [], busyReasons = [], suspended }: ConditionRule): Rule {
  return (object) => {
    if (suspended && valueAt(object, suspended) === true) return health('Suspended', 'held on purpose');
    if (isUnobserved(object)) return health('Progressing', 'Waiting for the controller to see the latest change');
    const conditions = conditionsOf(object);
    const find = (types: readonly string[], status: string): Condition | undefined =>
      conditions.find((condition) => types.includes(condition.type) && condition.status === status);
    const failure = find(bad, 'True');
    if (failure) return health('Degraded', failure.message || failure.reason);
    const refused = find(good, 'False');
    if (refused) {
      const isBusy = find(busy, 'True') !== undefined || busyReasons.includes(refused.reason);
      return health(isBusy ? 'Progressing' : 'Degraded', refused.message || refused.reason);
    }
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

/** Routes report for each gateway that they hang on. */
export function routeHealth(route: JsonObject): Health {
  const parents = listAt(route, 'status', 'parents').filter(isJsonObject);
  if (parents.length === 0) return health('Progressing', 'Waiting for a gateway to accept the route');
  const generation = numberAt(route, 'metadata', 'generation') ?? 0;
  for (const parent of parents) {
    for (const condition of listAt(parent, 'conditions').filter(isJsonObject)) {
      if ((numberAt(condition, 'observedGeneration') ?? generation) < generation)
        return health('Progressing', 'Waiting for the controller to see the latest change');
      const isDecisive = ['Accepted', 'ResolvedRefs'].includes(textAt(condition, 'type'));
      if (isDecisive && condition['status'] === 'False') return health('Degraded', textAt(condition, 'message'));
    }
  }
  const isAccepted = parents.every((parent) =>
    conditionsOf(parent, 'conditions').some(({ type, status }) => type === 'Accepted' && status === 'True'),
  );
  return isAccepted ? health('Healthy') : health('Progressing', 'Waiting for a gateway to accept the route');
}

function isUnobserved(object: JsonObject): boolean {
  const observed = numberAt(object, 'status', 'observedGeneration');
  return observed !== undefined && observed < (numberAt(object, 'metadata', 'generation') ?? 0);
}
