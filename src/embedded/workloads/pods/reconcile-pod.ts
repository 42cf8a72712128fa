import type { JsonObject, KubeObject } from '../../../objects/index.ts';
import type { WorkResult } from '../../../kube/index.ts';
import { NODE_ADDRESS, NODE_NAME } from '../node.ts';
import { simulationOf } from '../simulation.ts';
import type { View } from '../view.ts';
import { workloadTypes } from '../workload-types.ts';
import { deleteObject, updateStatus } from '../world.ts';
import type { World } from '../world.ts';
import { planPod } from './plan-pod.ts';
import { podEvents, stopEvents } from './pod-events.ts';

/** Is scheduler and kubelet to a pod: binds it, lets its containers live as far as their statuses go, and lets it end. */
export async function reconcilePod(world: World, pod: View): Promise<WorkResult> {
  const { cache, clock, podAddresses } = world;
  const nowMs = clock.nowMs();
  const plan = planPod({
    pod,
    simulation: simulationOf(cache, pod),
    nodeName: NODE_NAME,
    hostAddress: NODE_ADDRESS,
    takeAddress: () => podAddresses.take(pod.uid),
    nowMs,
  });
  switch (plan.action) {
    case 'rest':
      return 'done';
    case 'bind':
      await bindPod(world, pod);
      world.events.record(pod, {
        type: 'Normal',
        reason: 'Scheduled',
        message: `Successfully assigned ${pod.namespace}/${pod.name} to ${NODE_NAME}`,
        component: 'default-scheduler',
      });
      return 'done';
    case 'remove':
      for (const facts of stopEvents(pod)) world.events.record(pod, facts);
      await deleteObject(world, pod, { gracePeriodSeconds: 0 });
      return 'done';
    case 'status':
      if (await updateStatus(world, pod, plan.status, 'kubelet'))
        for (const facts of podEvents(pod, plan.status)) world.events.record(pod, facts);
      return plan.wakeMs === undefined ? 'done' : { requeueAfterMs: Math.max(plan.wakeMs - nowMs, 1) };
  }
}

/** The watch tells what becomes of it, and then its status is planned. */
async function bindPod({ api }: World, { name, namespace }: View): Promise<void> {
  const binding: JsonObject = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, namespace },
    target: { apiVersion: 'v1', kind: 'Node', name: NODE_NAME },
  };
  await api.create(workloadTypes.Pod, binding as unknown as KubeObject, { subresource: 'binding', fieldManager: 'kube-scheduler' });
}
