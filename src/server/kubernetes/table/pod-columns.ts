import type { JsonObject, JsonValue } from '../../../objects/index.ts';
import { ageColumn, ageOf, listAt, nameColumn, numberAt, orNone, text, textAt, valueAt, wide } from './column.ts';
import type { Column } from './column.ts';

export const podColumns: readonly Column[] = [
  nameColumn,
  text('Ready', (pod) => `${readyCount(pod)}/${listAt(pod, 'spec', 'containers').length}`),
  text('Status', podStatus),
  text('Restarts', restarts),
  ageColumn,
  wide(text('IP', (pod) => orNone(textAt(pod, 'status', 'podIP')))),
  wide(text('Node', (pod) => orNone(textAt(pod, 'spec', 'nodeName')))),
  wide(text('Nominated Node', (pod) => orNone(textAt(pod, 'status', 'nominatedNodeName')))),
  wide(text('Readiness Gates', readinessGates)),
];

function readyCount(pod: JsonObject): number {
  return listAt(pod, 'status', 'containerStatuses').filter((status) => valueAt(status, 'ready') === true).length;
}

/** The most telling word about a Pod: its deletion, why a container waits or has ended, else its phase. */
function podStatus(pod: JsonObject): string {
  const phase = textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase');
  const scheduled = listAt(pod, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'PodScheduled');
  const gated = textAt(scheduled, 'reason') === 'SchedulingGated' ? 'SchedulingGated' : phase;
  const initializing = initStatus(pod);
  const status = initializing ?? containerStatus(pod, gated);
  if (textAt(pod, 'metadata', 'deletionTimestamp') === '') return status;
  if (textAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  return ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase')) ? status : 'Terminating';
}

function initStatus(pod: JsonObject): string | undefined {
  const total = listAt(pod, 'spec', 'initContainers').length;
  const statuses = listAt(pod, 'status', 'initContainerStatuses');
  for (const [index, status] of statuses.entries()) {
    const ended = valueAt(status, 'state', 'terminated');
    if (ended !== undefined && numberAt(ended, 'exitCode') === 0) continue;
    if (valueAt(status, 'started') === true && valueAt(status, 'ready') === true) continue;
    if (ended !== undefined) return `Init:${endText(ended)}`;
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${total}`;
  }
  return undefined;
}

function containerStatus(pod: JsonObject, phase: string): string {
  let reason = phase;
  let isRunning = false;
  for (const status of listAt(pod, 'status', 'containerStatuses').toReversed()) {
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    const ended = valueAt(status, 'state', 'terminated');
    if (waiting !== '') reason = waiting;
    else if (ended !== undefined) reason = endText(ended);
    else if (valueAt(status, 'ready') === true && valueAt(status, 'state', 'running') !== undefined) isRunning = true;
  }
  if (reason !== 'Completed' || !isRunning) return reason;
  const ready = listAt(pod, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready');
  return textAt(ready, 'status') === 'True' ? 'Running' : 'NotReady';
}

function endText(ended: JsonValue): string {
  const signal = numberAt(ended, 'signal');
  return textAt(ended, 'reason') || (signal === 0 ? `ExitCode:${numberAt(ended, 'exitCode')}` : `Signal:${signal}`);
}

function restarts(pod: JsonObject, nowMs: number): string {
  const statuses = listAt(pod, 'status', 'containerStatuses');
  const count = statuses.reduce<number>((sum, status) => sum + numberAt(status, 'restartCount'), 0);
  const last = statuses
    .map((status) => textAt(status, 'lastState', 'terminated', 'finishedAt'))
    .sort()
    .at(-1);
  return count > 0 && last !== undefined && last !== '' ? `${count} (${ageOf(last, nowMs)} ago)` : String(count);
}

function readinessGates(pod: JsonObject): string {
  const gates = listAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  const conditions = listAt(pod, 'status', 'conditions');
  const isTrue = (gate: JsonValue): boolean =>
    conditions.some((condition) => textAt(condition, 'type') === textAt(gate, 'conditionType') && textAt(condition, 'status') === 'True');
  return `${gates.filter(isTrue).length}/${gates.length}`;
}
