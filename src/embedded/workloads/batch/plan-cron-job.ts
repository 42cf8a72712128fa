import { formatTime, parseTime } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import { numberAt, objectAt, textAt } from '../../json-path.ts';
import { hasCondition } from '../conditions.ts';
import { apiVersionOf, byAge, compact, controllerReference, isLeaving } from '../view.ts';
import type { View } from '../view.ts';
import { parseCron } from './cron-schedule.ts';
import { isTimeZone, lastCronTime, nextCronTime } from './cron-times.ts';

const TIME_ANNOTATION = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

export interface CronJobPlan {
  /** The time of a run that is due. */
  readonly startMs?: number;
  readonly remove: readonly View[];
  readonly status: JsonObject;
  readonly wakeInMs?: number;
}

/** Which run is due, which Jobs go, and when to look again. */
export function planCronJob(cron: View, jobs: readonly View[], nowMs: number): CronJobPlan {
  const unfinished = jobs.filter((job) => !isFinished(job) && !isLeaving(job)).toSorted(byAge);
  const history = planHistory(cron, jobs);
  const due = isLeaving(cron) ? {} : planRun(cron, unfinished.length, nowMs);
  const replaces = due.startMs !== undefined && textAt(cron.spec, 'concurrencyPolicy') === 'Replace';
  const active = replaces ? [] : unfinished;
  return {
    ...due,
    remove: [...history, ...(replaces ? unfinished : [])],
    status: cronStatus(cron, jobs, active, due.startMs),
  };
}

export function isFinished(job: View): boolean {
  return hasCondition(job, 'Complete') || hasCondition(job, 'Failed');
}

function planRun(cron: View, unfinishedCount: number, nowMs: number): Pick<CronJobPlan, 'startMs' | 'wakeInMs'> {
  const schedule = parseCron(textAt(cron.spec, 'schedule'));
  const timeZone = textAt(cron.spec, 'timeZone') || 'UTC';
  if (cron.spec['suspend'] === true || schedule === undefined || !isTimeZone(timeZone)) return {};
  const since = parseTime(textAt(cron.status, 'lastScheduleTime')) ?? parseTime(String(cron.metadata.creationTimestamp)) ?? nowMs;
  const deadlineSeconds = numberAt(cron.spec, 'startingDeadlineSeconds');
  const afterMs = deadlineSeconds === undefined ? since : Math.max(since, nowMs - deadlineSeconds * 1_000 - 1);
  const dueMs = lastCronTime(schedule, { afterMs, untilMs: nowMs }, timeZone);
  const nextMs = nextCronTime(schedule, schedule.type === 'every' ? (dueMs ?? since) : nowMs, timeZone);
  const wake = nextMs === undefined ? {} : { wakeInMs: Math.max(nextMs - nowMs, 1) };
  const mustWait = textAt(cron.spec, 'concurrencyPolicy') === 'Forbid' && unfinishedCount > 0;
  return dueMs === undefined || mustWait ? wake : { startMs: dueMs, ...wake };
}

/** The oldest Jobs that ended beyond what is kept of each kind of end. */
function planHistory(cron: View, jobs: readonly View[]): readonly View[] {
  const beyond = (type: string, limit: number): readonly View[] => {
    const ended = jobs.filter((job) => hasCondition(job, type) && !isLeaving(job)).toSorted(byAge);
    return ended.slice(0, Math.max(ended.length - limit, 0));
  };
  const limitOf = (name: string, otherwise: number): number => numberAt(cron.spec, name) ?? otherwise;
  return [...beyond('Complete', limitOf('successfulJobsHistoryLimit', 3)), ...beyond('Failed', limitOf('failedJobsHistoryLimit', 1))];
}

function cronStatus(cron: View, jobs: readonly View[], active: readonly View[], startMs: number | undefined): JsonObject {
  const ends = jobs.map(({ status }) => textAt(status, 'completionTime')).filter((time) => time !== '');
  const lastSuccess = [textAt(cron.status, 'lastSuccessfulTime'), ...ends].reduce((latest, time) => (time > latest ? time : latest), '');
  const lastSchedule = startMs === undefined ? textAt(cron.status, 'lastScheduleTime') : formatTime(startMs);
  return compact({
    active: active.length === 0 ? undefined : active.map(jobReference),
    lastScheduleTime: lastSchedule === '' ? undefined : lastSchedule,
    lastSuccessfulTime: lastSuccess === '' ? undefined : lastSuccess,
  });
}

/** How a CronJob's status names a Job that runs. */
export function jobReference({ name, namespace, uid, metadata }: View): JsonObject {
  return compact({ apiVersion: apiVersionOf('Job'), kind: 'Job', name, namespace, resourceVersion: metadata.resourceVersion, uid });
}

/** The Job of a run: its name comes from the time, so that no run is begun twice. */
export function newJob(cron: View, startMs: number): JsonObject {
  const template = objectAt(cron.spec, 'jobTemplate');
  return {
    metadata: {
      name: `${cron.name}-${Math.floor(startMs / 60_000)}`,
      namespace: cron.namespace,
      labels: objectAt(template, 'metadata', 'labels'),
      annotations: { ...objectAt(template, 'metadata', 'annotations'), [TIME_ANNOTATION]: formatTime(startMs) },
      ownerReferences: [controllerReference(cron)],
    },
    spec: objectAt(template, 'spec'),
  };
}
