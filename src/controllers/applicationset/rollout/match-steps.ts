import type { ApplicationSet } from '../../../model/index.ts';
import { scaleIntOrPercent } from '../../../objects/index.ts';
import type { DesiredApplication } from '../desired-application.ts';

type Step = NonNullable<NonNullable<NonNullable<ApplicationSet['spec']['strategy']>['rollingSync']>['steps']>[number];

/** Which applications belong to which step. */
export interface RolloutSteps {
  /** Names by step, in the order of the alphabet. One that fits several is in each of them. */
  readonly members: readonly (readonly string[])[];
  /** The index of the first step that an application fits; -1 where it fits none. */
  readonly stepOf: ReadonlyMap<string, number>;
}

export function matchSteps(steps: readonly Step[], applications: readonly Pick<DesiredApplication, 'name' | 'labels'>[]): RolloutSteps {
  const members = steps.map(() => [] as string[]);
  const stepOf = new Map<string, number>();
  for (const { name, labels } of applications.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const fitting = [...steps.keys()].filter((index) => fits(steps[index], labels));
    for (const index of fitting) members[index]?.push(name);
    stepOf.set(name, fitting[0] ?? -1);
  }
  return { members, stepOf };
}

/** All expressions must hold. An operator that is not known is no reason against an application without that label. */
function fits(step: Step | undefined, labels: Readonly<Record<string, string>>): boolean {
  return (step?.matchExpressions ?? []).every(({ key = '', operator, values = [] }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (operator === 'In') return value !== undefined && values.includes(value);
    if (operator === 'NotIn') return value === undefined || !values.includes(value);
    return value === undefined;
  });
}

/** How many applications of a step may be on their way at once. `total` is what a percentage is of. */
export function updatesMax(maxUpdate: number | string | undefined | null, total: number): number {
  if (maxUpdate === undefined || maxUpdate === null) return Number.POSITIVE_INFINITY;
  const count = scaleIntOrPercent(typeof maxUpdate === 'string' && /^\d+$/.test(maxUpdate) ? Number(maxUpdate) : maxUpdate, total, 'down');
  if (count === undefined) return 1;
  // A small share of few applications would be none, and the rollout would never end: only who says none gets none.
  return typeof maxUpdate === 'string' && count < 1 && maxUpdate !== '0%' && maxUpdate !== '0' ? 1 : Math.max(count, 0);
}
