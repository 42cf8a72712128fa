import { applicationSetType, readApplicationSet } from '../../model/index.ts';
import type { Application, ApplicationSet, ApplicationSetApplicationStatus, ApplicationSetStatus } from '../../model/index.ts';
import { createMergePatch, formatTime, isStatusError, type JsonObject } from '../../objects/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import { healthOf, nextConditions, type Outcome, type RolloutNews } from './conditions.ts';

export const refreshAnnotation = 'argocd.argoproj.io/application-set-refresh';

export interface StatusChange {
  /** Undefined while the work is not done yet. */
  readonly outcome?: Outcome;
  readonly rollout: RolloutNews;
  /** Those that there are now; left as they are where it is not known. */
  readonly applications?: Iterable<Application>;
  /** Of the rolling sync; left as it is unless given. */
  readonly applicationStatus?: readonly ApplicationSetApplicationStatus[];
}

/** Writes what changed of an application set's status, in one request; nothing where nothing changed. */
export async function writeStatus(
  context: ApplicationSetContext,
  set: ApplicationSet,
  change: StatusChange,
  signal: AbortSignal,
): Promise<ApplicationSet> {
  const before: ApplicationSetStatus = set.status ?? {};
  const conditions = nextConditions(before.conditions ?? [], change.outcome, change.rollout, formatTime(context.clock.nowMs()));
  const { appsetStatusResourcesMax } = context.settings.current.parameters;
  const after: ApplicationSetStatus = {
    ...before,
    conditions,
    health: healthOf(conditions),
    ...(change.applications && listResources(change.applications, appsetStatusResourcesMax)),
    ...(change.applicationStatus && { applicationStatus: [...change.applicationStatus] }),
  };
  // The definition wants a list where older versions wrote null: nothing else could be written beside it.
  if (after.applicationStatus?.some(({ targetRevisions }) => !targetRevisions) === true)
    after.applicationStatus = after.applicationStatus.map((status) => ({ ...status, targetRevisions: status.targetRevisions ?? [] }));
  if (change.applicationStatus?.length === 0) delete after.applicationStatus;
  return patchStatus(context, set, createMergePatch(toJson(before), toJson(after)), signal);
}

async function patchStatus(
  context: ApplicationSetContext,
  set: ApplicationSet,
  status: JsonObject,
  signal: AbortSignal,
): Promise<ApplicationSet> {
  if (Object.keys(status).length === 0) return set;
  const { namespace = '', name = '', uid } = set.metadata;
  const body = { metadata: { ...(uid !== undefined && { uid }) }, status };
  try {
    const stored = await context.home.patch(
      applicationSetType,
      { namespace, name },
      { type: 'merge', body },
      { subresource: 'status', signal },
    );
    context.applicationSets.noticeWrite(stored);
    return readApplicationSet(stored);
  } catch (error) {
    // It is gone, or another has its name: there is nothing to write to any more.
    if (isStatusError(error, 'NotFound', 'Conflict')) return set;
    throw error;
  }
}

/** The refresh that was asked for is done. */
export async function clearRefresh(context: ApplicationSetContext, set: ApplicationSet, signal: AbortSignal): Promise<void> {
  if (set.metadata.annotations?.[refreshAnnotation] === undefined) return;
  const { namespace = '', name = '' } = set.metadata;
  const body = { metadata: { annotations: { [refreshAnnotation]: null } } };
  try {
    context.applicationSets.noticeWrite(
      await context.home.patch(applicationSetType, { namespace, name }, { type: 'merge', body }, { signal }),
    );
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
  }
}

function listResources(applications: Iterable<Application>, max: number): Pick<ApplicationSetStatus, 'resources' | 'resourcesCount'> {
  const all = [...applications].sort((one, other) => ((one.metadata.name ?? '') < (other.metadata.name ?? '') ? -1 : 1));
  const shown = max > 0 ? all.slice(0, max) : all;
  return {
    resourcesCount: all.length,
    resources: shown.map(({ metadata, status }) => ({
      group: 'argoproj.io',
      version: 'v1alpha1',
      kind: 'Application',
      name: metadata.name ?? '',
      namespace: metadata.namespace ?? '',
      ...(status?.sync?.status && { status: status.sync.status }),
      ...(status?.health?.status && { health: { status: status.health.status } }),
    })),
  };
}

function toJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
