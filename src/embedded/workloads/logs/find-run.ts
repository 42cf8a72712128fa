import { isJsonObject, parseTime, statusError } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import type { LogOptions } from '../../../kube/index.ts';
import { isLeaving } from '../view.ts';
import { listAt, numberAt, objectAt, textAt } from '../../json-path.ts';
import type { View } from '../view.ts';
import type { ContainerRun } from './log-lines.ts';

/** The run of a container that a request means; throws what the API server answers where there is none. */
export function findRun(pod: View, { container: wanted, previous = false }: LogOptions): ContainerRun {
  const name = wanted === undefined || wanted === '' ? onlyContainer(pod) : wanted;
  const status = statusesOf(pod).find((other) => other['name'] === name);
  if (![...namesOf(pod, 'containers'), ...namesOf(pod, 'initContainers')].includes(name))
    throw statusError('BadRequest', `container ${name} is not valid for pod ${pod.name}`);
  const restartCount = numberAt(status, 'restartCount') ?? 0;
  const common = { podName: pod.name, podUid: pod.uid, container: name, image: textAt(status, 'image') };
  const last = objectAt(status, 'lastState', 'terminated');
  if (previous) {
    if (Object.keys(last).length === 0)
      throw statusError('BadRequest', `previous terminated container "${name}" in pod "${pod.name}" not found`);
    // While it waits to start anew, the run that has ended is still the one that was counted last.
    const isWaiting = Object.keys(objectAt(status, 'state', 'waiting')).length > 0;
    return { ...common, ...ended(last), restartCount: isWaiting ? restartCount : Math.max(restartCount - 1, 0) };
  }
  const terminated = objectAt(status, 'state', 'terminated');
  if (Object.keys(terminated).length > 0) return { ...common, ...ended(terminated), restartCount };
  const startedMs = parseTime(textAt(status, 'state', 'running', 'startedAt'));
  if (startedMs !== undefined) return { ...common, restartCount, startedMs, endedMs: undefined, exitCode: 0 };
  if (Object.keys(last).length > 0) return { ...common, ...ended(last), restartCount };
  const reason = textAt(status, 'state', 'waiting', 'reason') || 'ContainerCreating';
  throw statusError('BadRequest', `container "${name}" in pod "${pod.name}" is waiting to start: ${reason}`);
}

/** Whether more lines may come to a run. */
export function isRunning(pod: View | undefined, run: ContainerRun): boolean {
  if (pod === undefined || pod.uid !== run.podUid || isLeaving(pod)) return false;
  const status = statusesOf(pod).find((other) => other['name'] === run.container);
  return numberAt(status, 'restartCount') === run.restartCount && textAt(status, 'state', 'running', 'startedAt') !== '';
}

function ended(terminated: JsonObject): Pick<ContainerRun, 'startedMs' | 'endedMs' | 'exitCode'> {
  const startedMs = parseTime(textAt(terminated, 'startedAt')) ?? 0;
  return { startedMs, endedMs: parseTime(textAt(terminated, 'finishedAt')) ?? startedMs, exitCode: numberAt(terminated, 'exitCode') ?? 0 };
}

function onlyContainer(pod: View): string {
  const names = namesOf(pod, 'containers');
  const [first = ''] = names;
  if (names.length === 1) return first;
  const init = namesOf(pod, 'initContainers');
  const initText = init.length === 0 ? '' : ` or one of the init containers: [${init.join(' ')}]`;
  throw statusError('BadRequest', `a container name must be specified for pod ${pod.name}, choose one of: [${names.join(' ')}]${initText}`);
}

function namesOf({ spec }: View, list: string): readonly string[] {
  return listAt(spec, list).map((container) => textAt(container, 'name'));
}

function statusesOf({ status }: View): readonly JsonObject[] {
  return [...listAt(status, 'containerStatuses'), ...listAt(status, 'initContainerStatuses')].filter(isJsonObject);
}
