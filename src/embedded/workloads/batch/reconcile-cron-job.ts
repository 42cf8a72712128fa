import type { WorkResult } from '../../../kube/index.ts';
import { textAt } from '../../json-path.ts';
import { createIfMissing } from '../node.ts';
import type { View } from '../view.ts';
import { deleteObject, updateStatus } from '../world.ts';
import type { World } from '../world.ts';
import { newJob, planCronJob } from './plan-cron-job.ts';

/** Begins a Job whenever the schedule says so, and keeps only as many old ones as it should. */
export async function reconcileCronJob(world: World, cron: View): Promise<WorkResult> {
  const plan = planCronJob(cron, world.cache.dependents('Job', cron.uid), world.clock.nowMs());
  const tell = (reason: string, message: string): void =>
    world.events.record(cron, { type: 'Normal', reason, message, component: 'cronjob-controller' });
  for (const job of plan.remove) {
    await deleteObject(world, job, { propagation: 'Background' });
    tell('SuccessfulDelete', `Deleted job ${job.name}`);
  }
  if (plan.startMs !== undefined) {
    const job = newJob(cron, plan.startMs);
    await createIfMissing(world, 'Job', job);
    tell('SuccessfulCreate', `Created job ${textAt(job, 'metadata', 'name')}`);
  }
  // The new Job comes back as a change, and then the status names it.
  await updateStatus(world, cron, plan.status);
  return plan.wakeInMs === undefined ? 'done' : { requeueAfterMs: plan.wakeInMs };
}
