import { formatTime, isJsonObject } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { listAt } from '../json-path.ts';
import type { View } from './view.ts';

export function findCondition({ status }: View, type: string): JsonObject | undefined {
  return listAt(status, 'conditions')
    .filter(isJsonObject)
    .find((condition) => condition['type'] === type);
}

export function hasCondition(view: View, type: string): boolean {
  return findCondition(view, type)?.['status'] === 'True';
}

export interface NewCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** A condition whose time changes only when its status does. */
export function makeCondition(view: View, condition: NewCondition, nowMs: number): JsonObject {
  const before = findCondition(view, condition.type);
  const isSame = before?.['status'] === condition.status && before['lastTransitionTime'] !== undefined;
  return { ...condition, lastTransitionTime: isSame ? (before['lastTransitionTime'] ?? null) : formatTime(nowMs) };
}
