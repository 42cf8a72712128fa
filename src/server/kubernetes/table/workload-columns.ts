import { formatLabelSelector, parseTime, readLabelSelector } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import {
  ageColumn,
  ageOf,
  integer,
  labelsText,
  listAt,
  nameColumn,
  numberAt,
  objectAt,
  orNone,
  shown,
  text,
  textAt,
  valueAt,
  wide,
} from './column.ts';
import type { Column } from './column.ts';
import { formatAge } from './format-age.ts';

const TEMPLATE = ['spec', 'template', 'spec', 'containers'] as const;
const JOB_TEMPLATE = ['spec', 'jobTemplate', ...TEMPLATE] as const;

const containers = (...path: readonly string[]): readonly Column[] => [
  wide(
    text('Containers', (object) =>
      listAt(object, ...path)
        .map((container) => textAt(container, 'name'))
        .join(','),
    ),
  ),
  wide(
    text('Images', (object) =>
      listAt(object, ...path)
        .map((container) => textAt(container, 'image'))
        .join(','),
    ),
  ),
];
const selector: Column = wide(text('Selector', (object) => selectorText(objectAt(object, 'spec', 'selector'))));

export const deploymentColumns: readonly Column[] = [
  nameColumn,
  text('Ready', (object) => `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`),
  integer('Up-to-date', (object) => numberAt(object, 'status', 'updatedReplicas')),
  integer('Available', (object) => numberAt(object, 'status', 'availableReplicas')),
  ageColumn,
  ...containers(...TEMPLATE),
  selector,
];

export const replicaSetColumns: readonly Column[] = [
  nameColumn,
  integer('Desired', (object) => numberAt(object, 'spec', 'replicas')),
  integer('Current', (object) => numberAt(object, 'status', 'replicas')),
  integer('Ready', (object) => numberAt(object, 'status', 'readyReplicas')),
  ageColumn,
  ...containers(...TEMPLATE),
  selector,
];

export const statefulSetColumns: readonly Column[] = [
  nameColumn,
  text('Ready', (object) => `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`),
  ageColumn,
  ...containers(...TEMPLATE),
];

export const daemonSetColumns: readonly Column[] = [
  nameColumn,
  integer('Desired', (object) => numberAt(object, 'status', 'desiredNumberScheduled')),
  integer('Current', (object) => numberAt(object, 'status', 'currentNumberScheduled')),
  integer('Ready', (object) => numberAt(object, 'status', 'numberReady')),
  integer('Up-to-date', (object) => numberAt(object, 'status', 'updatedNumberScheduled')),
  integer('Available', (object) => numberAt(object, 'status', 'numberAvailable')),
  text('Node Selector', (object) => orNone(labelsText(objectAt(object, 'spec', 'template', 'spec', 'nodeSelector')))),
  ageColumn,
  ...containers(...TEMPLATE),
  selector,
];

export const jobColumns: readonly Column[] = [
  nameColumn,
  text('Status', jobStatus),
  text('Completions', jobCompletions),
  text('Duration', jobDuration),
  ageColumn,
  ...containers(...TEMPLATE),
  selector,
];

export const cronJobColumns: readonly Column[] = [
  nameColumn,
  text('Schedule', (object) => textAt(object, 'spec', 'schedule')),
  text('Timezone', (object) => orNone(textAt(object, 'spec', 'timeZone'))),
  text('Suspend', (object) => (valueAt(object, 'spec', 'suspend') === true ? 'True' : 'False')),
  integer('Active', (object) => listAt(object, 'status', 'active').length),
  text('Last Schedule', (object, nowMs) => {
    const last = textAt(object, 'status', 'lastScheduleTime');
    return last === '' ? '<none>' : ageOf(last, nowMs);
  }),
  ageColumn,
  ...containers(...JOB_TEMPLATE),
  wide(text('Selector', (object) => selectorText(objectAt(object, 'spec', 'jobTemplate', 'spec', 'selector')))),
];

export const autoscalerColumns: readonly Column[] = [
  nameColumn,
  text('Reference', (object) => `${textAt(object, 'spec', 'scaleTargetRef', 'kind')}/${textAt(object, 'spec', 'scaleTargetRef', 'name')}`),
  text('Targets', (object) => (listAt(object, 'spec', 'metrics').length === 0 ? '<none>' : '<unknown>')),
  text('MinPods', (object) => shown(valueAt(object, 'spec', 'minReplicas') ?? '<unset>')),
  integer('MaxPods', (object) => numberAt(object, 'spec', 'maxReplicas')),
  integer('Replicas', (object) => numberAt(object, 'status', 'currentReplicas')),
  ageColumn,
];

function selectorText(selector: JsonObject): string {
  if (Object.keys(selector).length === 0) return '<none>';
  const isPlain = selector['matchLabels'] === undefined && selector['matchExpressions'] === undefined;
  return formatLabelSelector(readLabelSelector(isPlain ? { matchLabels: selector } : selector));
}

function jobStatus(job: JsonObject): string {
  const isTrue = (type: string): boolean =>
    listAt(job, 'status', 'conditions').some((condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True');
  if (isTrue('Complete')) return 'Complete';
  if (isTrue('Failed')) return 'Failed';
  if (textAt(job, 'metadata', 'deletionTimestamp') !== '') return 'Terminating';
  if (isTrue('Suspended')) return 'Suspended';
  if (isTrue('FailureTarget')) return 'FailureTarget';
  return isTrue('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running';
}

function jobCompletions(job: JsonObject): string {
  const succeeded = numberAt(job, 'status', 'succeeded');
  const wanted = valueAt(job, 'spec', 'completions');
  if (typeof wanted === 'number') return `${succeeded}/${wanted}`;
  const parallelism = numberAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: JsonObject, nowMs: number): string {
  const start = parseTime(textAt(job, 'status', 'startTime'));
  if (start === undefined) return '';
  return formatAge((parseTime(textAt(job, 'status', 'completionTime')) ?? nowMs) - start);
}
