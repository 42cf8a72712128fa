import type { Application, ApplicationSet, ApplicationSetApplicationStatus, Operation } from '../../../model/index.ts';
import type { RolloutState } from '../conditions.ts';
import type { DesiredApplication } from '../desired-application.ts';
import { hasStartedSince, progressOf } from './application-progress.ts';
import { matchSteps, updatesMax } from './match-steps.ts';

/** `pause` and `abort` begin no more syncs; `abort` ends those that run, too. */
export type RolloutCommand = 'run' | 'pause' | 'abort';

/** What people say about a rollout; anything but these two lets it go on. */
export const rolloutAnnotation = 'fairway.dev/rollout';

export interface RolloutInput {
  readonly set: ApplicationSet;
  readonly desired: readonly DesiredApplication[];
  /** Those that there are, by name. */
  readonly live: ReadonlyMap<string, Application>;
  readonly isSpecDifferent: (desired: DesiredApplication, live: Application) => boolean;
  readonly now: string;
}

export interface RolloutPlan {
  /** By name. To be written down before anything else is done. */
  readonly statuses: readonly ApplicationSetApplicationStatus[];
  /** Syncs to begin, by the names of applications. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** Applications whose running sync is to be ended. */
  readonly terminations: readonly string[];
  readonly state: RolloutState;
  /** Some could not be told to begin yet, only because of the time: it is to be tried again in a second. */
  readonly isEarly: boolean;
}

/** Whether a set is synced step by step. */
export function isRollingSync({ spec }: ApplicationSet, isEnabled: boolean): boolean {
  return (
    isEnabled && spec.strategy?.type === 'RollingSync' && spec.strategy.rollingSync !== undefined && spec.strategy.rollingSync !== null
  );
}

/** One look at a rollout: where each application is, and which may begin to sync now. */
export function planRollout({ set, desired, live, isSpecDifferent, now }: RolloutInput): RolloutPlan {
  const steps = set.spec.strategy?.rollingSync?.steps ?? [];
  const { members, stepOf } = matchSteps(steps, desired);
  const before = new Map((set.status?.applicationStatus ?? []).map((status) => [status.application, status]));
  const statuses = new Map<string, ApplicationSetApplicationStatus>();
  for (const wanted of desired.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const application = live.get(wanted.name);
    if (application === undefined) continue;
    const index = stepOf.get(wanted.name) ?? -1;
    const input = { application, before: before.get(wanted.name), step: index < 0 ? -1 : index + 1, now };
    statuses.set(wanted.name, progressOf({ ...input, isSpecDifferent: isSpecDifferent(wanted, application) }));
  }
  const command = commandOf(set);
  const isDone = (names: readonly string[]): boolean => names.every((name) => statuses.get(name)?.status === 'Healthy');
  const unmatched = [...stepOf.values()].filter((index) => index < 0).length;
  const open = members.findIndex((names) => !isDone(names));
  let isEarly = false;
  if (command === 'run' && open >= 0) {
    const names = (members[open] ?? []).filter((name) => stepOf.get(name) === open);
    const total = names.length + (open === 0 ? unmatched : 0);
    // One that nobody has looked at yet would be told to sync twice.
    const known = names.filter((name) => live.get(name)?.status?.sync !== undefined);
    // Times are whole seconds: a sync of this very second could not be told from the one that is to begin.
    const busy = known.filter((name) => statuses.get(name)?.status === 'Waiting' && hasStartedSince(live.get(name), now));
    isEarly = busy.length > 0;
    promote(statuses, isEarly ? known.filter((name) => !busy.includes(name)) : known, updatesMax(steps[open]?.maxUpdate, total), now);
  }
  const aborted = command === 'abort' ? abort(statuses, live, now) : [];
  return {
    statuses: [...statuses.values()],
    operations: command === 'run' ? findOperations(statuses, desired, live) : new Map(),
    terminations: aborted,
    state: describeState(open, command),
    isEarly,
  };
}

function commandOf({ metadata }: ApplicationSet): RolloutCommand {
  const value = metadata.annotations?.[rolloutAnnotation];
  return value === 'pause' || value === 'abort' ? value : 'run';
}

function promote(statuses: Map<string, ApplicationSetApplicationStatus>, names: readonly string[], max: number, now: string): void {
  let underWay = names.filter((name) => ['Pending', 'Progressing'].includes(statuses.get(name)?.status ?? '')).length;
  for (const name of names) {
    const status = statuses.get(name);
    if (status?.status !== 'Waiting' || underWay >= max) continue;
    underWay += 1;
    const message = 'Application moved to Pending status, watching for the Application resource to start Progressing';
    statuses.set(name, { ...status, status: 'Pending', message, lastTransitionTime: now });
  }
}

/**
 * Puts back what is under way, so that it begins anew when the rollout goes on, and finds what runs. What runs is looked for whatever the
 * state is: one that could not be ended at the last look is ended now.
 */
function abort(
  statuses: Map<string, ApplicationSetApplicationStatus>,
  live: ReadonlyMap<string, Application>,
  now: string,
): readonly string[] {
  const running: string[] = [];
  for (const [name, status] of statuses) {
    const { phase, operation } = live.get(name)?.status?.operationState ?? {};
    const isRunning = phase === 'Running' && operation?.initiatedBy?.username === initiator;
    if (isRunning) running.push(name);
    const isUnderWay = status.status === 'Pending' || (status.status === 'Progressing' && isRunning);
    if (!isUnderWay) continue;
    const when = isRunning ? 'while the Application was syncing' : 'before the Application began to sync';
    statuses.set(name, { ...status, status: 'Waiting', message: `The rollout was aborted ${when}`, lastTransitionTime: now });
  }
  return running;
}

const initiator = 'applicationset-controller';

/** A sync for each application that was told to begin and has none yet: also for those that a process before was stopped at. */
function findOperations(
  statuses: ReadonlyMap<string, ApplicationSetApplicationStatus>,
  desired: readonly DesiredApplication[],
  live: ReadonlyMap<string, Application>,
): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const wanted of desired) {
    const status = statuses.get(wanted.name);
    const application = live.get(wanted.name);
    if (status?.status !== 'Pending' || application === undefined || application.operation) continue;
    const { phase = '' } = application.status?.operationState ?? {};
    if (phase === 'Running' || phase === 'Terminating' || hasStartedSince(application, status.lastTransitionTime ?? '')) continue;
    operations.set(wanted.name, buildOperation(wanted));
  }
  return operations;
}

function buildOperation({ spec }: DesiredApplication): Operation {
  const { automated, syncOptions, retry } = spec.syncPolicy ?? {};
  const isAutomated = automated !== undefined && automated.enabled !== false;
  return {
    initiatedBy: { username: initiator, automated: true },
    info: [{ name: 'Reason', value: 'ApplicationSet RollingSync triggered a sync of this Application resource' }],
    sync: { ...(isAutomated && automated.prune === true && { prune: true }), ...(syncOptions && { syncOptions }) },
    retry: retry ?? { limit: 5 },
  };
}

/** What is synced by the rollout is not synced by itself. */
export function withoutAutomation(desired: DesiredApplication): DesiredApplication {
  const { automated, ...policy } = desired.spec.syncPolicy ?? {};
  if (automated === undefined || automated.enabled === false) return desired;
  return { ...desired, spec: { ...desired.spec, syncPolicy: { ...policy, automated: { ...automated, enabled: false } } } };
}

function describeState(open: number, command: RolloutCommand): RolloutState {
  const step = open + 1;
  if (open < 0) return { isComplete: true, step: 0 };
  if (command === 'pause') return { isComplete: false, step, message: `ApplicationSet rollout is paused at step ${step}` };
  if (command === 'abort') return { isComplete: false, step, message: `ApplicationSet rollout was aborted at step ${step}` };
  return { isComplete: false, step };
}
