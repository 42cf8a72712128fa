import { applicationSetType, applicationType, readApplicationSet } from '../../../model/index.ts';
import type { Application, ApplicationSet, Operation } from '../../../model/index.ts';
import { canonicalJson, formatTime, isStatusError, type JsonObject, type JsonValue } from '../../../objects/index.ts';
import type { ApplicationSetContext } from '../application-set-context.ts';
import type { CheckedApplications } from '../check-applications.ts';
import type { RolloutNews } from '../conditions.ts';
import { createTurns } from '../create-turns.ts';
import { typedSpecOf, type DesiredApplication } from '../desired-application.ts';
import { createIgnore, type Ignore } from '../ignore-differences.ts';
import { resourcesFinalizer } from '../templates/render-application.ts';
import { writeStatus } from '../write-status.ts';
import { isRollingSync, planRollout, withoutAutomation } from './plan-rollout.ts';

export interface RolloutWork {
  readonly checked: CheckedApplications;
  readonly owned: ReadonlyMap<string, Application>;
  readonly signal: AbortSignal;
}

export interface AdvancedRollout {
  /** As it is now. */
  readonly set: ApplicationSet;
  /** As they are to be written while the rollout decides when they sync. */
  readonly desired: readonly DesiredApplication[];
  readonly operations: ReadonlyMap<string, Operation>;
  readonly news: RolloutNews;
  readonly isEarly: boolean;
}

/** Takes a rolling sync as far as it may go now. Where each application is, is written down before it is told to go on. */
export async function advanceRollout(context: ApplicationSetContext, given: ApplicationSet, work: RolloutWork): Promise<AdvancedRollout> {
  const { checked, owned, signal } = work;
  const { appsetProgressiveSyncs, appsetDryRun } = context.settings.current.parameters;
  const isRolling = isRollingSync(given, appsetProgressiveSyncs);
  if (!isRolling || appsetDryRun)
    return { set: given, desired: checked.valid, operations: new Map(), news: isRolling ? 'same' : 'none', isEarly: false };
  const set = await holdForDeletion(context, given, signal);
  const desired = [...checked.wanted.values()];
  // Of the moment that the applications are of: what begins while they are looked at has begun since then.
  const now = formatTime(context.clock.nowMs());
  const different = await findDifferent(context, set, desired, { owned, signal });
  const plan = planRollout({
    set,
    desired,
    live: owned,
    isSpecDifferent: ({ name }) => different.has(name),
    now,
  });
  const stored = await writeStatus(context, set, { rollout: plan.state, applicationStatus: plan.statuses }, signal);
  for (const name of plan.terminations) await terminate(context, owned.get(name), signal);
  return {
    set: stored,
    desired: checked.valid.map(withoutAutomation),
    operations: plan.operations,
    news: plan.state,
    isEarly: plan.isEarly,
  };
}

/** The names of those whose spec is to become another. What users want to be ignored may take a while for each. */
async function findDifferent(
  { timers }: Pick<ApplicationSetContext, 'timers'>,
  set: ApplicationSet,
  desired: readonly DesiredApplication[],
  { owned, signal }: Pick<RolloutWork, 'owned' | 'signal'>,
): Promise<ReadonlySet<string>> {
  const ignoreFor = createIgnore(set);
  const doInTurn = createTurns(timers, signal);
  const different = new Set<string>();
  for (const one of desired) {
    const live = owned.get(one.name);
    if (live !== undefined && (await doInTurn(() => isDifferent(withoutAutomation(one), live, ignoreFor(one.name)))))
      different.add(one.name);
  }
  return different;
}

function isDifferent(desired: DesiredApplication, live: Application, ignore: Ignore): boolean {
  const form = (spec: object): string => canonicalJson(ignore({ spec: JSON.parse(JSON.stringify(spec)) as JsonValue }) as JsonObject);
  return form(desired.spec) !== form(typedSpecOf(live));
}

/** A set whose applications go one after the other has to stay until they are gone. */
async function holdForDeletion(context: ApplicationSetContext, set: ApplicationSet, signal: AbortSignal): Promise<ApplicationSet> {
  const { finalizers = [], namespace = '', name = '', resourceVersion = '' } = set.metadata;
  if (!deletesInReverse(set) || finalizers.includes(resourcesFinalizer)) return set;
  const body = { metadata: { finalizers: [...finalizers, resourcesFinalizer], resourceVersion } };
  const stored = await context.home.patch(applicationSetType, { namespace, name }, { type: 'merge', body }, { signal });
  context.applicationSets.noticeWrite(stored);
  return readApplicationSet(stored);
}

/** Whether the applications of a set are deleted one at a time, those of its last step first. */
export function deletesInReverse({ spec }: ApplicationSet): boolean {
  const { type, deletionOrder = '', rollingSync } = spec.strategy ?? {};
  return type === 'RollingSync' && deletionOrder.toLowerCase() === 'reverse' && (rollingSync?.steps ?? []).length > 0;
}

async function terminate(context: ApplicationSetContext, application: Application | undefined, signal: AbortSignal): Promise<void> {
  if (application === undefined) return;
  const { namespace = '', name = '', resourceVersion = '' } = application.metadata;
  const body = { metadata: { resourceVersion }, status: { operationState: { phase: 'Terminating' } } };
  try {
    context.applications.noticeWrite(await context.home.patch(applicationType, { namespace, name }, { type: 'merge', body }, { signal }));
  } catch (error) {
    // It has changed since, and is looked at again because of that.
    if (!isStatusError(error, 'Conflict', 'NotFound')) throw error;
  }
}
