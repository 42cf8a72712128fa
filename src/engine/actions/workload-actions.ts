import { formatTime, listAt, objectAt, textAt, valueAt, withValueAt } from '../../objects/index.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { isJsonObject } from '../../objects/index.ts';
import { isNotTrue, isTrue, nameWithMinute, ownerOf, readReplicas, remove, set, stamp, unset } from './changes.ts';
import type { BuiltInAction } from './resource-action.ts';

const restart: BuiltInAction = {
  name: 'restart',
  iconClass: 'fa fa-fw fa-redo',
  run: stamp(['spec', 'template', 'metadata', 'annotations', 'kubectl.kubernetes.io/restartedAt']),
};
const scale: BuiltInAction = {
  name: 'scale',
  iconClass: 'fa fa-fw fa-plus-circle',
  params: ['replicas'],
  run: (object, input) => withValueAt(object, ['spec', 'replicas'], readReplicas(input)),
};

export const deploymentActions: readonly BuiltInAction[] = [
  restart,
  { name: 'pause', iconClass: 'fa fa-fw fa-pause-circle', isDisabled: isTrue('spec', 'paused'), run: set(['spec', 'paused'], true) },
  { name: 'resume', iconClass: 'fa fa-fw fa-play-circle', isDisabled: isNotTrue('spec', 'paused'), run: remove(['spec', 'paused']) },
  scale,
];
export const statefulSetActions: readonly BuiltInAction[] = [restart, scale];
export const daemonSetActions: readonly BuiltInAction[] = [restart];

const resume: BuiltInAction = {
  name: 'resume',
  iconClass: 'fa fa-fw fa-play',
  isOffered: isTrue('spec', 'suspend'),
  run: unset(['spec', 'suspend']),
};
const suspend: BuiltInAction = {
  name: 'suspend',
  iconClass: 'fa fa-fw fa-pause',
  isOffered: isNotTrue('spec', 'suspend'),
  run: set(['spec', 'suspend'], true),
};

export const cronJobActions: readonly BuiltInAction[] = [
  {
    name: 'create-job',
    displayName: 'Create Job',
    iconClass: 'fa fa-fw fa-plus',
    run: (object, { nowMs }) => [{ operation: 'create', resource: jobOf(object, nowMs) }],
  },
  resume,
  suspend,
];

/** A run of a CronJob that does not wait for its time. */
function jobOf(cronJob: JsonObject, nowMs: number): KubeObject {
  const template = objectAt(cronJob, 'spec', 'jobTemplate');
  const metadata = objectAt(template, 'metadata');
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...metadata,
      name: nameWithMinute(textAt(cronJob, 'metadata', 'name'), nowMs, false),
      namespace: textAt(cronJob, 'metadata', 'namespace'),
      annotations: { ...objectAt(metadata, 'annotations'), 'cronjob.kubernetes.io/instantiate': 'manual' },
      ownerReferences: [{ ...ownerOf(cronJob), blockOwnerDeletion: true, controller: true }],
    },
    spec: objectAt(template, 'spec'),
  } as unknown as KubeObject;
}

const JOB_ENDS: readonly string[] = ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet'];

function hasEnded(job: JsonObject): boolean {
  return listAt(job, 'status', 'conditions')
    .filter(isJsonObject)
    .some((condition) => condition['status'] === 'True' && JOB_ENDS.includes(textAt(condition, 'type')));
}

export const jobActions: readonly BuiltInAction[] = [
  { ...resume, isOffered: (job) => !hasEnded(job) && isTrue('spec', 'suspend')(job) },
  { ...suspend, isOffered: (job) => !hasEnded(job) && isNotTrue('spec', 'suspend')(job) },
  {
    name: 'terminate',
    iconClass: 'fa fa-fw fa-stop',
    isOffered: (job) => !hasEnded(job) && isJsonObject(valueAt(job, ['status'])),
    run: (job, { nowMs }) => (hasEnded(job) || !isJsonObject(valueAt(job, ['status'])) ? job : terminated(job, nowMs)),
  },
];

/** The controller ends a Job that is marked as one that will fail. */
function terminated(job: JsonObject, nowMs: number): JsonObject {
  const condition = {
    type: 'FailureTarget',
    status: 'True',
    reason: 'ManuallyTerminated',
    message: 'Job was terminated explicitly through Argo CD',
    lastTransitionTime: formatTime(nowMs),
  };
  return withValueAt(job, ['status', 'conditions'], [...listAt(job, 'status', 'conditions'), condition]);
}
