import type { JsonObject } from '../../../objects/index.ts';
import type { WorkResult } from '../../../kube/index.ts';
import { isJsonObject } from '../../../objects/index.ts';
import { listAt, objectAt, textAt } from '../../json-path.ts';
import { changePods } from '../pods/change-pods.ts';
import { podFromTemplate } from '../pods/pod-from-template.ts';
import { isLeaving } from '../view.ts';
import type { View } from '../view.ts';
import { deleteObject, updateStatus } from '../world.ts';
import type { World } from '../world.ts';
import { INDEX_ANNOTATION } from './completion-indexes.ts';
import { planJob } from './plan-job.ts';

/** Runs the pods of a Job until enough have succeeded or too many have failed. */
export async function reconcileJob(world: World, job: View): Promise<WorkResult> {
  if (isLeaving(job)) return 'done';
  const plan = planJob(job, world.cache.dependents('Pod', job.uid), world.clock.nowMs());
  if (plan.isExpired) {
    await deleteObject(world, job, { propagation: 'Background' });
    return 'done';
  }
  const count = world.room.take(job, plan.createCount);
  const make = Array.from({ length: count }, (_, at) => newPod(job, plan.createIndexes[at]));
  await changePods(world, job, { make, remove: plan.remove });
  if (count > 0) return 'done';
  if (await updateStatus(world, job, plan.status)) tellEnd(world, job, plan.status);
  return plan.wakeInMs === undefined ? 'done' : { requeueAfterMs: plan.wakeInMs };
}

/** What the conditions say that they did not say before. */
function tellEnd({ events }: World, job: View, status: JsonObject): void {
  const known = new Set(listAt(job.status, 'conditions').map((condition) => textAt(condition, 'type')));
  for (const condition of listAt(status, 'conditions')) {
    const type = textAt(condition, 'type');
    if (known.has(type) || textAt(condition, 'status') !== 'True') continue;
    if (type === 'Complete')
      events.record(job, { type: 'Normal', reason: 'Completed', message: 'Job completed', component: 'job-controller' });
    if (type === 'Failed') {
      const [reason, message] = [textAt(condition, 'reason'), textAt(condition, 'message')];
      events.record(job, { type: 'Warning', reason, message, component: 'job-controller' });
    }
  }
}

function newPod(job: View, index?: number): JsonObject {
  const template = objectAt(job.spec, 'template');
  if (index === undefined) return podFromTemplate({ owner: job, template, generateName: `${job.name}-` });
  const value = String(index);
  const variable = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath: `metadata.labels['${INDEX_ANNOTATION}']` } } };
  const containers = listAt(template, 'spec', 'containers')
    .filter(isJsonObject)
    .map((container) => ({ ...container, env: [...listAt(container, 'env'), variable] }));
  return podFromTemplate({
    owner: job,
    template,
    generateName: `${job.name}-${index}-`,
    labels: { [INDEX_ANNOTATION]: value },
    annotations: { [INDEX_ANNOTATION]: value },
    spec: { containers, hostname: `${job.name}-${index}` },
  });
}
