import { hasMultipleSources, sourcesOf, type Application, type Operation, type ResourceStatus } from '../../model/index.ts';
import { parseTime, sameJson } from '../../objects/index.ts';

import { describeOverspending, type DeletionBudget } from './deletion-budget.ts';

export interface SelfHealPace {
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

export interface AutoSyncInput {
  readonly application: Application;
  readonly syncStatus: string;
  readonly resources: readonly ResourceStatus[];
  /** What was compared: one for each source. */
  readonly revisions: readonly string[];
  /** Those of an earlier sync since which nothing changed of what the application says that it is made from, nor of what that gives. */
  readonly sameAs?: readonly string[] | undefined;
  readonly nowMs: number;
  readonly selfHeal: SelfHealPace;
  readonly deletionBudget?: DeletionBudget | undefined;
}

export type AutoSyncPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'later'; readonly afterMs: number }
  /** Becomes a SyncError. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'sync'; readonly operation: Operation };

const none: AutoSyncPlan = { kind: 'none' };

/** Whether the policy of an application asks for a sync now that it has been compared. */
export function planAutoSync(input: AutoSyncInput): AutoSyncPlan {
  const { application, syncStatus, resources, revisions } = input;
  const { metadata, spec, operation } = application;
  const automated = spec.syncPolicy?.automated;
  if (!automated || automated.enabled === false) return none;
  if (operation || metadata.deletionTimestamp || syncStatus !== 'OutOfSync') return none;
  const prune = automated.prune === true;
  const different = resources.filter(({ status }) => status !== undefined && status !== '' && status !== 'Synced');
  if (!prune && different.every(({ requiresPruning }) => requiresPruning === true)) return none;
  const attempt = lastAttempt(input);
  const text = `[${revisions.join(',')}]`;
  if (attempt !== undefined) {
    if (attempt.phase !== 'Succeeded') return { kind: 'refused', message: `Failed last sync attempt to ${text}: ${attempt.message}` };
    if (automated.selfHeal !== true) return none;
    const waitMs = selfHealWait(input, attempt);
    if (waitMs > 0) return { kind: 'later', afterMs: waitMs };
  }
  if (prune && automated.allowEmpty !== true && resources.every(({ requiresPruning }) => requiresPruning === true))
    return { kind: 'refused', message: `Skipping sync attempt to ${text}: auto-sync will wipe out all resources` };
  const overspent = prune ? describeOverspending(application, resources, input.deletionBudget) : undefined;
  if (overspent !== undefined) return { kind: 'refused', message: `Skipping sync attempt to ${text}: ${overspent}` };
  return { kind: 'sync', operation: automatedOperation(input, prune, attempt === undefined ? undefined : { different, ...attempt }) };
}

interface Attempt {
  readonly phase: string;
  readonly message: string;
  readonly finishedMs: number | undefined;
  readonly heals: number;
}

/** The last operation, if it was for the same revisions of the same sources: to do it again would change nothing. */
function lastAttempt({ application, revisions, sameAs = revisions }: AutoSyncInput): Attempt | undefined {
  const state = application.status?.operationState;
  if (!state) return undefined;
  const finishedMs = state.finishedAt ? parseTime(state.finishedAt) : undefined;
  const heals = state.operation?.sync?.autoHealAttemptsCount ?? 0;
  const attempt = { phase: state.phase, message: state.message ?? '', finishedMs, heals };
  const result = state.syncResult;
  // An operation that ended before it had a result was an attempt at whatever there was.
  if (!result) return isCompleted(state.phase) ? attempt : undefined;
  const several = hasMultipleSources(application);
  const synced = several ? (result.revisions ?? []) : [result.revision ?? ''];
  const sources = several ? (result.sources ?? []) : result.source ? [result.source] : [];
  const isSame = sameJson(synced, revisions) || sameJson(synced, sameAs);
  return isSame && sameJson(sources, sourcesOf(application)) ? attempt : undefined;
}

function isCompleted(phase: string): boolean {
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Error';
}

/** The first attempt is made at once; each further one in a row waits longer. */
function selfHealWait({ nowMs, selfHeal }: AutoSyncInput, { finishedMs, heals }: Attempt): number {
  if (finishedMs === undefined || heals === 0) return 0;
  const pauseMs = Math.min(selfHeal.firstMs * selfHeal.factor ** (heals - 1), selfHeal.maxMs);
  return finishedMs + pauseMs - nowMs;
}

type Heal = Attempt & { readonly different: readonly ResourceStatus[] };

/** A heal touches only what differs, so it is a partial sync: no hooks, no history. */
function automatedOperation({ application, revisions }: AutoSyncInput, prune: boolean, heal: Heal | undefined): Operation {
  const { syncPolicy } = application.spec;
  const sources = sourcesOf(application);
  const options = syncPolicy?.syncOptions ?? [];
  const several = hasMultipleSources(application);
  const [source] = sources;
  return {
    sync: {
      ...(several ? { sources: [...sources], revisions: [...revisions] } : { ...(source && { source }), revision: revisions[0] ?? '' }),
      ...(prune && { prune }),
      ...(options.length > 0 && { syncOptions: options }),
      ...(heal && {
        autoHealAttemptsCount: heal.heals + 1,
        resources: heal.different.map(({ group, kind = '', name = '', namespace }) => ({
          ...(group && { group }),
          kind,
          name,
          ...(namespace && { namespace }),
        })),
      }),
    },
    initiatedBy: { automated: true },
    retry: syncPolicy?.retry ?? { limit: 5 },
  };
}
