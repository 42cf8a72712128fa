import { isJsonObject } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import { listAt, numberAt, textAt, valueAt } from '../../json-path.ts';
import type { EventFacts } from '../events/event-recorder.ts';
import { NODE_NAME } from '../node.ts';
import type { View } from '../view.ts';

const LISTS = [
  { statuses: 'initContainerStatuses', containers: 'initContainers' },
  { statuses: 'containerStatuses', containers: 'containers' },
] as const;

/** What a node tells of the containers of a pod when its status becomes another. */
export function podEvents(pod: View, status: JsonObject): readonly EventFacts[] {
  return LISTS.flatMap(({ statuses, containers }) =>
    listAt(status, statuses)
      .filter(isJsonObject)
      .flatMap((now) => {
        const name = textAt(now, 'name');
        const before = listAt(pod.status, statuses).find((other) => textAt(other, 'name') === name);
        const fieldPath = `spec.${containers}{${name}}`;
        return containerEvents(pod, now, isJsonObject(before) ? before : {}).map((facts) => ({ ...facts, ...KUBELET, fieldPath }));
      }),
  );
}

/** What it tells when a pod has to stop: each container that ran. */
export function stopEvents(pod: View): readonly EventFacts[] {
  return listAt(pod.status, 'containerStatuses')
    .filter((status) => valueAt(status, ['state', 'running']) !== undefined)
    .map((status) => {
      const name = textAt(status, 'name');
      return {
        type: 'Normal',
        reason: 'Killing',
        message: `Stopping container ${name}`,
        ...KUBELET,
        fieldPath: `spec.containers{${name}}`,
      };
    });
}

const KUBELET = { component: 'kubelet', host: NODE_NAME } as const;

type Told = Pick<EventFacts, 'type' | 'reason' | 'message'>;

function containerEvents(pod: View, now: JsonObject, before: JsonObject): readonly Told[] {
  const waiting = textAt(now, 'state', 'waiting', 'reason');
  if (waiting !== '') return waiting === textAt(before, 'state', 'waiting', 'reason') ? [] : waitingEvents(pod, now, waiting);
  const runs = (status: JsonObject): boolean => textAt(status, 'containerID') !== '';
  const isNewRun = runs(now) && (!runs(before) || (numberAt(now, 'restartCount') ?? 0) > (numberAt(before, 'restartCount') ?? 0));
  return isNewRun ? startEvents(now) : [];
}

function startEvents(status: JsonObject): readonly Told[] {
  const name = textAt(status, 'name');
  return [
    { type: 'Normal', reason: 'Pulled', message: `Container image "${textAt(status, 'image')}" already present on machine` },
    { type: 'Normal', reason: 'Created', message: `Created container: ${name}` },
    { type: 'Normal', reason: 'Started', message: `Started container ${name}` },
  ];
}

function waitingEvents(pod: View, status: JsonObject, reason: string): readonly Told[] {
  const message = textAt(status, 'state', 'waiting', 'message');
  const name = textAt(status, 'name');
  switch (reason) {
    case 'ErrImagePull':
      return [
        { type: 'Normal', reason: 'Pulling', message: `Pulling image "${textAt(status, 'image')}"` },
        { type: 'Warning', reason: 'Failed', message: message.replace(/^f/, 'F') },
        { type: 'Warning', reason: 'Failed', message: 'Error: ErrImagePull' },
      ];
    case 'ImagePullBackOff':
      return [
        { type: 'Normal', reason: 'BackOff', message },
        { type: 'Warning', reason: 'Failed', message: 'Error: ImagePullBackOff' },
      ];
    case 'CrashLoopBackOff':
      return [
        {
          type: 'Warning',
          reason: 'BackOff',
          message: `Back-off restarting failed container ${name} in pod ${pod.name}_${pod.namespace}(${pod.uid})`,
        },
      ];
    case 'RunContainerError':
      return [{ type: 'Warning', reason: 'Failed', message: `Error: ${message}` }];
    default:
      return [];
  }
}
