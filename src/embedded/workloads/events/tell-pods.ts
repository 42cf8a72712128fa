import type { View } from '../view.ts';
import type { World } from '../world.ts';

const COMPONENTS = {
  CronJob: 'cronjob-controller',
  DaemonSet: 'daemonset-controller',
  Job: 'job-controller',
  ReplicaSet: 'replicaset-controller',
  StatefulSet: 'statefulset-controller',
} as const;

/** Says of an owner that it has got a pod, or lost one. */
export function tellPod({ events }: World, owner: View, change: 'Create' | 'Delete', pod: View): void {
  const component = COMPONENTS[owner.kind as keyof typeof COMPONENTS];
  const message =
    owner.kind === 'StatefulSet'
      ? `${change.toLowerCase()} Pod ${pod.name} in StatefulSet ${owner.name} successful`
      : `${change}d pod: ${pod.name}`;
  events.record(owner, { type: 'Normal', reason: `Successful${change}`, message, component });
}

/** Says of an owner that it gets fewer pods than it wants. */
export function tellNoRoom({ events, room }: Pick<World, 'events' | 'room'>, owner: View): void {
  const component = COMPONENTS[owner.kind as keyof typeof COMPONENTS];
  events.record(owner, { type: 'Warning', reason: 'FailedCreate', message: room.refusal, component });
}
