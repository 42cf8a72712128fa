import type { ApplicationSet, ApplicationSetApplicationStatus, ApplicationSetRolloutStep } from '../../../../contract/gen/types.ts';

/** What a step is about, where its applications are, and what the rollout waits for there. */
export interface ShownStep {
  /** From 1. */
  readonly number: number;
  /** Which applications it takes, in words. */
  readonly takes: string;
  /** How many at once, in words. */
  readonly pace: string;
  readonly applications: readonly ApplicationSetApplicationStatus[];
  readonly state: 'done' | 'current' | 'waiting' | 'empty';
}

export interface ShownRollout {
  readonly steps: readonly ShownStep[];
  /** Applications that no step takes: nobody syncs them. */
  readonly outside: readonly ApplicationSetApplicationStatus[];
  /** What it waits for now; undefined where it is done. */
  readonly waitsFor: string | undefined;
}

const NAMED_MAX = 3;

/** Undefined where the set does not roll out in steps. */
export function planSteps({ spec, status }: ApplicationSet): ShownRollout | undefined {
  if (spec.strategy?.type !== 'RollingSync' || spec.strategy.rollingSync === undefined) return undefined;
  const states = status?.applicationStatus ?? [];
  let isOpen = true;
  const steps = (spec.strategy.rollingSync.steps ?? []).map((step, index): ShownStep => {
    const applications = states.filter((each) => each.step === String(index + 1));
    const isDone = applications.every((each) => each.status === 'Healthy');
    const state = applications.length === 0 ? 'empty' : isDone && isOpen ? 'done' : isOpen ? 'current' : 'waiting';
    isOpen &&= isDone;
    return { number: index + 1, takes: describeStep(step), pace: describePace(step), applications, state };
  });
  const current = steps.find(({ state }) => state === 'current');
  return { steps, outside: states.filter(({ step }) => step === '-1'), waitsFor: current && describeWait(current) };
}

function describeStep({ matchExpressions = [] }: ApplicationSetRolloutStep): string {
  if (matchExpressions.length === 0) return 'all that are left';
  return matchExpressions
    .map(({ key = '', operator = '', values = [] }) => {
      if (operator === 'In') return `${key} is ${values.join(' or ')}`;
      if (operator === 'NotIn') return `${key} is not ${values.join(' or ')}`;
      return `${key} ${operator} ${values.join(', ')}`;
    })
    .join(', and ');
}

function describePace({ maxUpdate }: ApplicationSetRolloutStep): string {
  if (maxUpdate === undefined || maxUpdate === null) return 'all at once';
  if (maxUpdate === 0 || maxUpdate === '0' || maxUpdate === '0%') return 'only by hand';
  return `${maxUpdate} at a time`;
}

function describeWait({ number, applications, pace }: ShownStep): string {
  const missing = applications.filter(({ status }) => status !== 'Healthy');
  const active = missing.filter(({ status }) => status !== 'Waiting');
  if (active.length === 0 && pace === 'only by hand')
    return `Step ${number} waits for somebody to sync ${nameSome(missing)}: its limit is 0`;
  const concerned = active.length > 0 ? active : missing;
  const what = active.length > 0 ? 'to be synced and healthy' : 'to begin';
  return `Step ${number} waits for ${nameSome(concerned)} ${what}`;
}

function nameSome(applications: readonly ApplicationSetApplicationStatus[]): string {
  const names = applications.slice(0, NAMED_MAX).map(({ application }) => application);
  return applications.length > NAMED_MAX ? `${names.join(', ')} and ${applications.length - NAMED_MAX} more` : names.join(' and ');
}
