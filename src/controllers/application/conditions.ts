import type { ApplicationCondition } from '../../model/index.ts';

/** The types that every comparison decides about: one that it does not find is gone. */
export const comparisonTypes: ReadonlySet<string> = new Set([
  'InvalidSpecError',
  'ComparisonError',
  'UnknownError',
  'SharedResourceWarning',
  'RepeatedResourceWarning',
  'ExcludedResourceWarning',
  'OrphanedResourceWarning',
  'ControlPlaneWarning',
]);

/** The conditions with what was found for the types that were looked at. One that says the same as before keeps its time. */
export function mergeConditions(
  present: readonly ApplicationCondition[],
  found: readonly Pick<ApplicationCondition, 'type' | 'message'>[],
  evaluated: ReadonlySet<string>,
  now: string,
): ApplicationCondition[] {
  const kept = present.filter(({ type }) => !evaluated.has(type));
  const seen = new Set<string>();
  const merged: ApplicationCondition[] = [...kept];
  for (const { type, message } of found) {
    const key = `${type}\n${message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const before = present.find((one) => one.type === type && one.message === message);
    merged.push({ type, message, lastTransitionTime: before?.lastTransitionTime ?? now });
  }
  return merged.toSorted((one, other) => compare(one.type, other.type) || compare(one.message, other.message));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
