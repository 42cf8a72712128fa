import { isJsonObject, listAt, numberAt, objectAt, textAt, valueAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';

/** What a list of pods shows of one. */
export interface PodSummary {
  readonly reason: string;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
}

/** A pod's state in one word, and how many of its containers are ready. */
export function summarizePod(pod: JsonObject): PodSummary {
  const initContainers = objectsAt(pod, 'spec', 'initContainers');
  const sidecars = new Set(initContainers.filter((one) => one['restartPolicy'] === 'Always').map((one) => textAt(one, 'name')));
  const counts = { ready: 0, total: objectsAt(pod, 'spec', 'containers').length + sidecars.size, restarts: 0 };
  const initReason = summarizeInitContainers(pod, initContainers, sidecars, counts);
  let reason = initReason ?? baseReason(pod);
  if (initReason === undefined || isConditionTrue(pod, 'Initialized')) reason = summarizeContainers(pod, reason, counts);
  return { ...counts, reason: deletionReason(pod, reason) };
}

interface Counts {
  ready: number;
  restarts: number;
}

function baseReason(pod: JsonObject): string {
  const gated = objectsAt(pod, 'status', 'conditions').some(
    (condition) => condition['type'] === 'PodScheduled' && condition['reason'] === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase');
}

/** The first init container that holds the pod up; undefined where none does. */
function summarizeInitContainers(
  pod: JsonObject,
  containers: readonly JsonObject[],
  sidecars: ReadonlySet<string>,
  counts: Counts,
): string | undefined {
  for (const [index, status] of objectsAt(pod, 'status', 'initContainerStatuses').entries()) {
    const isSidecar = sidecars.has(textAt(status, 'name'));
    counts.restarts += numberAt(status, 'restartCount') ?? 0;
    const terminated = valueAt(status, ['state', 'terminated']);
    if (isJsonObject(terminated) && numberAt(terminated, 'exitCode') === 0) continue;
    if (isSidecar && status['started'] === true) {
      if (status['ready'] === true) counts.ready++;
      continue;
    }
    if (isJsonObject(terminated)) return `Init:${terminationReason(terminated)}`;
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${containers.length}`;
  }
  return undefined;
}

function summarizeContainers(pod: JsonObject, before: string, counts: Counts): string {
  let reason = before;
  let isRunning = false;
  counts.restarts = isRestartCountKept(pod) ? counts.restarts : 0;
  for (const status of objectsAt(pod, 'status', 'containerStatuses').toReversed()) {
    counts.restarts += numberAt(status, 'restartCount') ?? 0;
    const state = objectAt(status, 'state');
    const waiting = textAt(state, 'waiting', 'reason');
    const terminated = valueAt(state, ['terminated']);
    if (waiting !== '') reason = waiting;
    else if (isJsonObject(terminated)) reason = terminationReason(terminated);
    else if (status['ready'] === true && state['running'] !== undefined) {
      isRunning = true;
      counts.ready++;
    }
  }
  if (reason !== 'Completed' || !isRunning) return reason;
  return isConditionTrue(pod, 'Ready') ? 'Running' : 'NotReady';
}

/** Restarts of sidecars count beside those of containers; those of init containers that are done do not. */
function isRestartCountKept(pod: JsonObject): boolean {
  return objectsAt(pod, 'spec', 'initContainers').some((one) => one['restartPolicy'] === 'Always');
}

function terminationReason(terminated: JsonObject): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal') ?? 0;
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode') ?? 0}` : `Signal:${signal}`;
}

function deletionReason(pod: JsonObject, reason: string): string {
  if (textAt(pod, 'metadata', 'deletionTimestamp') === '') return reason;
  if (textAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  const phase = textAt(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed' ? reason : 'Terminating';
}

function isConditionTrue(pod: JsonObject, type: string): boolean {
  return objectsAt(pod, 'status', 'conditions').some((condition) => condition['type'] === type && condition['status'] === 'True');
}

/** The objects of a list; anything else in it is passed over. */
export function objectsAt(object: JsonObject, ...path: readonly string[]): readonly JsonObject[] {
  return listAt(object, ...path).filter(isJsonObject);
}
