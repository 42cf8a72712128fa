import { formatTime, parseTime } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import { listAt, numberAt, textAt } from '../../json-path.ts';
import { findCondition, hasCondition } from '../conditions.ts';
import { isActive, isReady, phaseOf } from '../pods/pod-facts.ts';
import { BURST_MAX } from '../room.ts';
import { annotationOf, byAge, compact, isLeaving, positive } from '../view.ts';
import type { View } from '../view.ts';
import { formatIndexes, INDEX_ANNOTATION, parseIndexes } from './completion-indexes.ts';

export interface JobPlan {
  readonly createCount: number;
  /** For a Job that counts by index: one for each pod to be made. */
  readonly createIndexes: readonly number[];
  readonly remove: readonly View[];
  readonly status: JsonObject;
  readonly wakeInMs?: number;
  /** Its time after the end is over. */
  readonly isExpired: boolean;
}

interface Verdict {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

interface Counts {
  readonly active: readonly View[];
  readonly succeeded: number;
  readonly failed: number;
  readonly completed: ReadonlySet<number>;
}

/** What a Job does next: makes or removes pods, ends, or goes. */
export function planJob(job: View, pods: readonly View[], nowMs: number): JobPlan {
  if (hasCondition(job, 'Complete') || hasCondition(job, 'Failed')) return planFinished(job, pods, nowMs);
  const counts = countPods(job, pods);
  const isSuspended = job.spec['suspend'] === true;
  const startTime = isSuspended ? '' : textAt(job.status, 'startTime') || formatTime(nowMs);
  const deadlineMs =
    startTime === '' ? Infinity : (parseTime(startTime) ?? nowMs) + (numberAt(job.spec, 'activeDeadlineSeconds') ?? Infinity) * 1_000;
  const verdict = orderedEnd(job) ?? (isSuspended ? undefined : judge(job, counts, nowMs >= deadlineMs));
  const stops = isSuspended || verdict !== undefined;
  const wanted = stops ? 0 : wantedActive(job, counts);
  const remove = counts.active.toSorted((left, right) => byAge(right, left)).slice(0, Math.max(counts.active.length - wanted, 0));
  const missing = Math.min(Math.max(wanted - counts.active.length, 0), BURST_MAX);
  const createIndexes = isIndexed(job) ? missingIndexes(job, counts, missing) : [];
  const createCount = isIndexed(job) ? createIndexes.length : missing;
  const status = jobStatus({ job, pods, counts, verdict, startTime, isSuspended, nowMs, isStopping: stops });
  const wakeInMs = verdict === undefined && deadlineMs !== Infinity ? Math.max(deadlineMs - nowMs, 1) : undefined;
  return { createCount, createIndexes, remove, status, isExpired: false, ...(wakeInMs !== undefined && { wakeInMs }) };
}

function planFinished(job: View, pods: readonly View[], nowMs: number): JobPlan {
  const ttlSeconds = numberAt(job.spec, 'ttlSecondsAfterFinished');
  const end = findCondition(job, 'Complete') ?? findCondition(job, 'Failed');
  const expiresMs = (parseTime(textAt(end, 'lastTransitionTime')) ?? nowMs) + (ttlSeconds ?? Infinity) * 1_000;
  const status = { ...job.status, terminating: pods.filter(isLeaving).length };
  const rest = { createCount: 0, createIndexes: [], remove: pods.filter(isActive), status };
  return { ...rest, isExpired: nowMs >= expiresMs, ...(expiresMs !== Infinity && { wakeInMs: Math.max(expiresMs - nowMs, 1) }) };
}

function isIndexed(job: View): boolean {
  return textAt(job.spec, 'completionMode') === 'Indexed';
}

/** Pods that somebody has removed after their end stay counted. */
function countPods(job: View, pods: readonly View[]): Counts {
  const ofPhase = (phase: string): readonly View[] => pods.filter((pod) => phaseOf(pod) === phase);
  const completed = new Set([
    ...parseIndexes(textAt(job.status, 'completedIndexes')),
    ...ofPhase('Succeeded').map((pod) => Number(annotationOf(pod, INDEX_ANNOTATION) ?? -1)),
  ]);
  completed.delete(-1);
  return {
    active: pods.filter(isActive),
    succeeded: isIndexed(job) ? completed.size : Math.max(numberAt(job.status, 'succeeded') ?? 0, ofPhase('Succeeded').length),
    failed: Math.max(numberAt(job.status, 'failed') ?? 0, ofPhase('Failed').length),
    completed,
  };
}

function judge(job: View, { active, succeeded, failed }: Counts, isLate: boolean): Verdict | undefined {
  const completions = numberAt(job.spec, 'completions');
  const isComplete = completions === undefined ? succeeded > 0 && active.length === 0 : succeeded >= completions;
  if (isComplete) return { type: 'Complete', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' };
  const backoffLimit = numberAt(job.spec, 'backoffLimit') ?? 6;
  const restarts = active
    .flatMap(({ status }) => listAt(status, 'containerStatuses'))
    .reduce<number>((total, status) => total + (numberAt(status, 'restartCount') ?? 0), 0);
  const isOnFailure = textAt(job.spec, 'template', 'spec', 'restartPolicy') === 'OnFailure';
  if (failed > backoffLimit || (isOnFailure && restarts > 0 && restarts >= backoffLimit))
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  if (isLate) return { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  return undefined;
}

/** Somebody else may have written down that it is to fail. */
function orderedEnd(job: View): Verdict | undefined {
  if (!hasCondition(job, 'FailureTarget')) return undefined;
  const order = findCondition(job, 'FailureTarget');
  return { type: 'Failed', reason: textAt(order, 'reason'), message: textAt(order, 'message') };
}

function wantedActive(job: View, { active, succeeded }: Counts): number {
  const parallelism = numberAt(job.spec, 'parallelism') ?? 1;
  const completions = numberAt(job.spec, 'completions');
  // Without a number of completions, the first success says that there is nothing left to begin.
  if (completions === undefined) return succeeded > 0 ? Math.min(active.length, parallelism) : parallelism;
  return Math.min(parallelism, Math.max(completions - succeeded, 0));
}

/** The first that neither run nor are done. There may be more of them than any list can hold. */
function missingIndexes(job: View, { active, completed }: Counts, limit: number): readonly number[] {
  const running = new Set(active.map((pod) => Number(annotationOf(pod, INDEX_ANNOTATION) ?? -1)));
  const completions = numberAt(job.spec, 'completions') ?? 0;
  const missing: number[] = [];
  for (let index = 0; index < completions && missing.length < limit; index += 1)
    if (!completed.has(index) && !running.has(index)) missing.push(index);
  return missing;
}

interface StatusInput {
  readonly job: View;
  readonly pods: readonly View[];
  readonly counts: Counts;
  readonly verdict: Verdict | undefined;
  readonly startTime: string;
  readonly isSuspended: boolean;
  readonly isStopping: boolean;
  readonly nowMs: number;
}

function jobStatus({ job, pods, counts, verdict, startTime, isSuspended, isStopping, nowMs }: StatusInput): JsonObject {
  const { active, succeeded, failed, completed } = counts;
  const now = formatTime(nowMs);
  const left = isStopping ? [] : active;
  const make = (type: string, status: string, reason: string, message: string): JsonObject => {
    return { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
  };
  const conditions = [
    ...suspension(job, isSuspended, make),
    ...(verdict === undefined
      ? []
      : [
          make(verdict.type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget', 'True', verdict.reason, verdict.message),
          make(verdict.type, 'True', verdict.reason, verdict.message),
        ]),
  ];
  return compact({
    conditions: conditions.length === 0 ? undefined : conditions,
    startTime: startTime === '' ? undefined : startTime,
    completionTime: verdict?.type === 'Complete' ? now : undefined,
    active: positive(left.length),
    succeeded: positive(succeeded),
    failed: positive(failed + (verdict?.type === 'Failed' ? active.length : 0)),
    terminating: pods.filter(isLeaving).length + (isStopping ? active.length : 0),
    completedIndexes: isIndexed(job) && completed.size > 0 ? formatIndexes(completed) : undefined,
    uncountedTerminatedPods: {},
    ready: left.filter(isReady).length,
  });
}

function suspension(
  job: View,
  isSuspended: boolean,
  make: (type: string, status: string, reason: string, message: string) => JsonObject,
): readonly JsonObject[] {
  const before = findCondition(job, 'Suspended');
  if (before === undefined && !isSuspended) return [];
  const status = isSuspended ? 'True' : 'False';
  if (before?.['status'] === status) return [before];
  return [make('Suspended', status, isSuspended ? 'JobSuspended' : 'JobResumed', isSuspended ? 'Job suspended' : 'Job resumed')];
}
