import { isJsonObject, listAt, parseTime, textAt, valueAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { conditionsOf, health } from './condition.ts';
import type { Health } from './health-status.ts';

/** Only for `Suspended` does the condition's status count: the others are there only when they are true. */
export function jobHealth(job: JsonObject): Health {
  const conditions = conditionsOf(job);
  const failed = conditions.find(({ type }) => type === 'Failed');
  if (failed) return health('Degraded', failed.message);
  const ended = conditions.filter(({ type }) => type === 'Complete' || type === 'Suspended');
  const message = ended.at(-1)?.message;
  if (ended.length === 0) return health('Progressing');
  if (ended.some(({ type, status }) => type === 'Suspended' && status === 'True')) return health('Suspended', message);
  return health('Healthy', message);
}

/** A CronJob that is suspended on purpose is well. */
export function cronJobHealth(cronJob: JsonObject): Health {
  if (valueAt(cronJob, ['spec', 'suspend']) === true) return health('Healthy', 'CronJob is Suspended');
  const status = valueAt(cronJob, ['status']);
  if (!isJsonObject(status)) return health('Progressing', 'Waiting for CronJob');
  const scheduled = timeOf(status, 'lastScheduleTime');
  if (scheduled === undefined) return health('Healthy', 'CronJob has not been scheduled yet');
  const isActive = listAt(status, 'active').length > 0;
  const succeeded = timeOf(status, 'lastSuccessfulTime');
  // Whether it failed, or has not come to its end yet, cannot be told.
  if (succeeded === undefined) return health('Healthy', 'The CronJob never completed successfully. It may not be healthy');
  if (isActive) return health('Healthy', 'The job is running. Its last execution may not have been successful');
  return succeeded < scheduled
    ? health('Degraded', 'CronJob has not completed its last execution successfully')
    : health('Healthy', 'CronJob has completed its last execution successfully');
}

function timeOf(status: JsonObject, name: string): number | undefined {
  return parseTime(textAt(status, name));
}
