import type { Application, ApplicationSetApplicationStatus } from '../../../model/index.ts';
import { canonicalJson, parseTime, type JsonValue } from '../../../objects/index.ts';
import { typedSpec, typedSpecOf } from '../desired-application.ts';

export interface ProgressInput {
  readonly application: Application;
  readonly before: ApplicationSetApplicationStatus | undefined;
  /** From 1; -1 for none. */
  readonly step: number;
  /** What is wanted of it is not what there is. */
  readonly isSpecDifferent: boolean;
  readonly now: string;
}

/** How far an application has come, as far as that shows in itself: whether it may go on is decided with the others. */
export function progressOf({ application, before, step, isSpecDifferent, now }: ProgressInput): ApplicationSetApplicationStatus {
  const revisions = revisionsOf(application);
  let status: ApplicationSetApplicationStatus = {
    application: application.metadata.name ?? '',
    status: 'Waiting',
    message: 'No Application status found, defaulting status to Waiting',
    lastTransitionTime: now,
    targetRevisions: [],
    ...before,
    // Objects of older versions have none.
    ...(!before?.targetRevisions && { targetRevisions: [] }),
    step: String(step),
  };
  const move = (to: string, message: string): void => {
    status = { ...status, status: to, message, lastTransitionTime: now };
  };
  const isRevisionDifferent = canonicalJson(revisions) !== canonicalJson(status.targetRevisions);
  if (isRevisionDifferent || isSpecDifferent) {
    const what = isRevisionDifferent && isSpecDifferent ? ' (revision and spec differ)' : isSpecDifferent ? ' (spec differs)' : '';
    const message = `Application has pending changes${what}, setting status to Waiting`;
    // What waits already waits on; the time since when is kept.
    if (status.status !== 'Waiting' || isRevisionDifferent || status.message !== message) move('Waiting', message);
    status = { ...status, targetRevisions: [...revisions] };
  }
  // Nothing is concluded from what was true of another spec, or before a sync.
  const isKnown = !isSpecDifferent && isCurrent(application);
  const isSynced = isKnown && application.status?.sync?.status === 'Synced';
  const isHealthy = application.status?.health?.status === 'Healthy';
  if (status.status === 'Waiting' && isSynced) {
    if (isHealthy) move('Healthy', 'Application resource has synced, updating status to Healthy');
    else move('Progressing', 'Application resource has synced, updating status to Progressing');
  } else if (status.status === 'Pending') {
    const message = describeStart(application, status.lastTransitionTime ?? '', isKnown);
    if (message !== undefined) move('Progressing', message);
  }
  if (status.status === 'Progressing' && isSynced && isHealthy)
    move('Healthy', 'Application resource became Healthy, updating status from Progressing to Healthy');
  return status;
}

/** What shows that a sync has begun since the application was told to; undefined while nothing does. */
function describeStart(application: Application, since: string, isKnown: boolean): string | undefined {
  const { operationState, conditions = [] } = application.status ?? {};
  if (operationState && hasStartedSince(application, since)) {
    if (operationState.phase === 'Succeeded')
      return 'Application resource completed a sync successfully, updating status from Pending to Progressing';
    if (operationState.phase === 'Failed' || operationState.phase === 'Error')
      return 'Application resource completed a sync, updating status from Pending to Progressing';
    return 'Application resource became Progressing, updating status from Pending to Progressing';
  }
  const isHopeless = isKnown && conditions.some(({ type }) => type === 'InvalidSpecError' || type === 'UnknownError');
  return isHopeless ? 'Application resource has error and cannot sync, updating status to Progressing' : undefined;
}

export function hasStartedSince(application: Application | undefined, since: string): boolean {
  const startedMs = timeOf(application?.status?.operationState?.startedAt);
  return startedMs !== undefined && startedMs >= (timeOf(since) ?? 0);
}

export function revisionsOf({ status }: Application): readonly string[] {
  const { revision, revisions } = status?.sync ?? {};
  if (revisions && revisions.length > 0) return revisions;
  return revision ? [revision] : [];
}

/** Whether the status says how the application is now: it was compared as it is specified, and after its last sync. */
function isCurrent(application: Application): boolean {
  const { sync, operationState, reconciledAt } = application.status ?? {};
  if (!sync?.comparedTo || application.operation) return false;
  const { source, sources, destination } = sync.comparedTo;
  if (place({ source, sources, destination }) !== place(typedSpecOf(application))) return false;
  if (!operationState) return true;
  const finishedMs = timeOf(operationState.finishedAt);
  return finishedMs !== undefined && finishedMs <= (timeOf(reconciledAt) ?? 0);
}

function place({ source, sources, destination }: { source?: unknown; sources?: unknown; destination?: unknown }): string {
  const { project: _any, ...spec } = typedSpec({ source, sources, destination: destination ?? {}, project: '' });
  const { source: one, sources: several = [], destination: where } = spec;
  return canonicalJson(JSON.parse(JSON.stringify(several.length > 0 ? [several, where] : [one ?? null, where])) as JsonValue);
}

function timeOf(text: unknown): number | undefined {
  return typeof text === 'string' ? parseTime(text) : undefined;
}
