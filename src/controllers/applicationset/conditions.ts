import type { ApplicationSetCondition, HealthStatus } from '../../model/index.ts';

/** How a look at an application set ended. */
export type Outcome =
  | { readonly kind: 'up-to-date' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly message: string;
      /** Whether the generators had done their part before. */
      readonly areParametersGenerated: boolean;
    };

/** How far a rolling sync is. */
export interface RolloutState {
  readonly isComplete: boolean;
  /** From 1. */
  readonly step: number;
  /** Where it says more than that it goes on. */
  readonly message?: string;
}

/** What is said of a rolling sync: something new, the same as before, or nothing where there is none. */
export type RolloutNews = RolloutState | 'same' | 'none';

type Verdict = Pick<ApplicationSetCondition, 'status' | 'reason' | 'message'>;

const upToDate = { reason: 'ApplicationSetUpToDate', message: 'All applications have been generated successfully' };
const generated: Verdict = {
  status: 'True',
  reason: 'ParametersGenerated',
  message: 'Successfully generated parameters for all Applications',
};

/** The conditions after a look, by type; without an outcome only the rolling sync is looked at. What stays the same keeps the time since when it has been so. */
export function nextConditions(
  before: readonly ApplicationSetCondition[],
  outcome: Outcome | undefined,
  rollout: RolloutNews,
  now: string,
): ApplicationSetCondition[] {
  const verdicts = new Map<string, Verdict>();
  if (outcome?.kind === 'up-to-date') {
    verdicts.set('ErrorOccurred', { status: 'False', ...upToDate });
    verdicts.set('ParametersGenerated', generated);
    verdicts.set('ResourcesUpToDate', { status: 'True', ...upToDate });
  } else if (outcome !== undefined) {
    const { reason } = outcome;
    const message = shorten(outcome.message);
    const failed: Verdict = { status: 'False', reason: 'ErrorOccurred', message };
    verdicts.set('ErrorOccurred', { status: 'True', reason, message });
    verdicts.set('ParametersGenerated', outcome.areParametersGenerated ? generated : failed);
    verdicts.set('ResourcesUpToDate', failed);
  }
  if (typeof rollout === 'object') verdicts.set('RolloutProgressing', describeRollout(rollout));
  const known = new Map(before.map((condition) => [condition.type, condition]));
  if (rollout === 'none') known.delete('RolloutProgressing');
  for (const [type, verdict] of verdicts) known.set(type, withTime(known.get(type), { type, ...verdict }, now));
  return [...known.values()].sort((one, other) => (one.type < other.type ? -1 : 1));
}

/** A failure may name a whole template. */
const messageMax = 8_192;

function shorten(message: string): string {
  return message.length <= messageMax ? message : `${message.slice(0, messageMax - 1)}…`;
}

function describeRollout({ isComplete, step, message }: RolloutState): Verdict {
  if (isComplete) return { status: 'False', reason: 'ApplicationSetRolloutComplete', message: 'ApplicationSet Rollout has completed' };
  return {
    status: 'True',
    reason: 'ApplicationSetModified',
    message: message ?? `ApplicationSet is performing rollout of step ${step}`,
  };
}

function withTime(
  before: ApplicationSetCondition | undefined,
  verdict: Omit<ApplicationSetCondition, 'lastTransitionTime'>,
  now: string,
): ApplicationSetCondition {
  const { status, reason, message } = verdict;
  if (before !== undefined && before.status === status && before.reason === reason && before.message === message) return before;
  return { ...verdict, lastTransitionTime: now };
}

/** How an application set is, as its conditions say. */
export function healthOf(conditions: readonly ApplicationSetCondition[]): HealthStatus {
  if (conditions.length === 0) return { status: 'Unknown', message: 'No status conditions found for ApplicationSet' };
  const find = (wanted: string): ApplicationSetCondition | undefined =>
    conditions.find(({ type, status }) => type === wanted && status === 'True');
  const answers = [
    ['Degraded', find('ErrorOccurred')],
    ['Progressing', find('RolloutProgressing')],
    ['Healthy', find('ResourcesUpToDate')],
  ] as const;
  for (const [status, condition] of answers) if (condition !== undefined) return { status, message: condition.message };
  return { status: 'Unknown', message: 'Waiting for health status to be determined' };
}
