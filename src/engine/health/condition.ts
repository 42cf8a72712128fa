import { isJsonObject, listAt, numberAt, textAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { Health, HealthStatusCode } from './health-status.ts';

/** An entry of `status.conditions`. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** The generation of the object that it speaks of, where it says so. */
  readonly observedGeneration: number | undefined;
}

export function conditionsOf(object: JsonObject, ...path: readonly string[]): readonly Condition[] {
  return readConditions(listAt(object, ...(path.length > 0 ? path : ['status', 'conditions'])));
}

export function readConditions(list: readonly unknown[]): readonly Condition[] {
  return list.filter(isJsonObject).map((condition) => ({
    type: textAt(condition, 'type'),
    status: textAt(condition, 'status'),
    reason: textAt(condition, 'reason'),
    message: textAt(condition, 'message'),
    observedGeneration: numberAt(condition, 'observedGeneration'),
  }));
}

export function findCondition(object: JsonObject, type: string): Condition | undefined {
  return conditionsOf(object).find((condition) => condition.type === type);
}

/** A health with a message, or without one where there is nothing to say. */
export function health(status: HealthStatusCode, message = ''): Health {
  return message === '' ? { status } : { status, message };
}
