import { formatTime, isJsonObject, parseTime } from '../../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../../objects/index.ts';
import { listAt, numberAt, textAt } from '../../json-path.ts';
import type { Simulation } from '../simulation.ts';
import { compact, isLeaving } from '../view.ts';
import type { View } from '../view.ts';
import { readCommand } from './container-command.ts';
import { exitCodeOf, planContainer } from './plan-container.ts';
import type { ContainerPlan } from './plan-container.ts';
import { planConditions } from './plan-conditions.ts';
import { hasEnded } from './pod-facts.ts';

export interface PodInput {
  readonly pod: View;
  readonly simulation: Simulation;
  readonly nodeName: string;
  readonly hostAddress: string;
  /** Asked only for a pod that needs one. */
  readonly takeAddress: () => string;
  readonly nowMs: number;
}

/** What the node does next for a pod. */
export type PodPlan =
  | { readonly action: 'rest' }
  | { readonly action: 'bind' }
  /** Its time to stop is over. */
  | { readonly action: 'remove' }
  | { readonly action: 'status'; readonly status: JsonObject; readonly wakeMs?: number };

/** A pod's next step, from its present state and the time. */
export function planPod(input: PodInput): PodPlan {
  const { pod, nodeName, nowMs } = input;
  const node = textAt(pod.spec, 'nodeName');
  if (node !== '' && node !== nodeName) return { action: 'rest' };
  if (isLeaving(pod)) return (pod.metadata.deletionGracePeriodSeconds ?? 0) > 0 ? { action: 'remove' } : { action: 'rest' };
  if (hasEnded(pod)) return { action: 'rest' };
  if (node === '') return listAt(pod.spec, 'schedulingGates').length > 0 ? { action: 'rest' } : { action: 'bind' };
  const startTime = textAt(pod.status, 'startTime') || formatTime(nowMs);
  const deadlineSeconds = numberAt(pod.spec, 'activeDeadlineSeconds');
  const deadlineMs = deadlineSeconds === undefined ? Infinity : (parseTime(startTime) ?? nowMs) + deadlineSeconds * 1_000;
  if (nowMs >= deadlineMs) return { action: 'status', status: deadlineStatus(pod) };
  return planRun(input, startTime, deadlineMs);
}

function deadlineStatus({ status }: View): JsonObject {
  return {
    ...status,
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  };
}

function planRun(input: PodInput, startTime: string, deadlineMs: number): PodPlan {
  const { pod, simulation, nowMs, hostAddress } = input;
  const beginMs = (parseTime(startTime) ?? nowMs) + simulation.delayMs;
  const init = planInit(input, beginMs);
  const containers = init.isBlocked ? waitForInit(pod) : planContainers(input, init.endMs);
  const wakes = [...init.plans, ...containers].map(({ wakeMs }) => wakeMs ?? Infinity);
  const wakeMs = Math.min(deadlineMs, ...wakes);
  const containerStatuses = containers.map(({ status }) => status);
  const phase = phaseOf(containerStatuses);
  const isEnd = phase === 'Succeeded' || phase === 'Failed';
  const hasSandbox = nowMs >= beginMs;
  const address = hasSandbox ? textAt(pod.status, 'podIP') || input.takeAddress() : '';
  const initStatuses = init.plans.map(({ status }) => (isEnd ? endSidecar(status, nowMs) : status));
  const status = compact({
    ...pod.status,
    phase,
    observedGeneration: pod.metadata.generation,
    conditions: planConditions({ pod, phase, containerStatuses, isInitialized: !init.isBlocked && nowMs >= init.endMs, hasSandbox, nowMs }),
    hostIP: hostAddress,
    hostIPs: [{ ip: hostAddress }],
    podIP: address === '' ? undefined : address,
    podIPs: address === '' ? undefined : [{ ip: address }],
    startTime,
    initContainerStatuses: initStatuses.length === 0 ? undefined : initStatuses,
    containerStatuses,
  });
  return { action: 'status', status, ...(!isEnd && wakeMs !== Infinity && { wakeMs }) };
}

interface InitPlan {
  readonly plans: readonly ContainerPlan[];
  /** One of them cannot end well. */
  readonly isBlocked: boolean;
  readonly endMs: number;
}

/** Init containers one after the other: each takes the time that it sleeps, and none where it does not say. */
function planInit({ pod, nowMs }: PodInput, beginMs: number): InitPlan {
  const plans: ContainerPlan[] = [];
  let [startMs, isBlocked] = [beginMs, false];
  for (const container of containersOf(pod, 'initContainers')) {
    const before = statusOf(pod, 'initContainerStatuses', container);
    const isSidecar = textAt(container, 'restartPolicy') === 'Always';
    const { durationMs = 0, exitCode } = readCommand(container);
    const endMs = startMs + (isSidecar ? 0 : durationMs);
    const common = { podUid: pod.uid, container, before, waitingFor: 'PodInitializing' as const, nowMs };
    const simulation = { behavior: exitCode === 0 || isSidecar ? ('normal' as const) : ('crash-loop' as const), delayMs: 0 };
    const plan = planContainer({
      ...common,
      restartPolicy: isSidecar || exitCode !== 0 ? 'Always' : 'Never',
      simulation,
      startMs: isBlocked ? Infinity : startMs,
    });
    plans.push(isSidecar || exitCode !== 0 ? plan : endOnTime(plan, endMs, nowMs));
    isBlocked ||= exitCode !== 0 && !isSidecar ? true : textAt(container, 'image').includes('invalid');
    startMs = endMs;
  }
  return { plans, isBlocked, endMs: startMs };
}

function endOnTime(plan: ContainerPlan, endMs: number, nowMs: number): ContainerPlan {
  const { status } = plan;
  const startedAt = textAt(status, 'state', 'running', 'startedAt');
  if (startedAt === '') return exitCodeOf(status) === undefined ? plan : { status: { ...status, ready: true } };
  if (nowMs < endMs) return { status: { ...status, ready: false }, wakeMs: endMs };
  const terminated = { exitCode: 0, reason: 'Completed', startedAt, finishedAt: formatTime(endMs) };
  return { status: { ...status, state: { terminated }, ready: true, started: false } };
}

function endSidecar(status: JsonObject, nowMs: number): JsonObject {
  const startedAt = textAt(status, 'state', 'running', 'startedAt');
  if (startedAt === '') return status;
  const terminated = { exitCode: 0, reason: 'Completed', startedAt, finishedAt: formatTime(nowMs) };
  return { ...status, state: { terminated }, ready: false, started: false };
}

function waitForInit(pod: View): readonly ContainerPlan[] {
  return containersOf(pod, 'containers').map((container) => {
    const base = { podUid: pod.uid, container, before: {}, restartPolicy: 'Always', nowMs: 0, startMs: 1 } as const;
    const { status } = planContainer({ ...base, simulation: { behavior: 'normal', delayMs: 0 }, waitingFor: 'PodInitializing' });
    return { status };
  });
}

function planContainers({ pod, simulation, nowMs }: PodInput, startMs: number): readonly ContainerPlan[] {
  const waitingFor = listAt(pod.spec, 'initContainers').length > 0 ? 'PodInitializing' : 'ContainerCreating';
  const restartPolicy = textAt(pod.spec, 'restartPolicy') || 'Always';
  return containersOf(pod, 'containers').map((container) => {
    const before = statusOf(pod, 'containerStatuses', container);
    return planContainer({ podUid: pod.uid, container, before, restartPolicy, simulation, startMs, waitingFor, nowMs });
  });
}

function containersOf({ spec }: View, list: string): readonly JsonObject[] {
  return listAt(spec, list).filter(isJsonObject);
}

function statusOf({ status }: View, list: string, container: JsonObject): JsonObject {
  const isSame = (other: JsonValue): other is JsonObject => isJsonObject(other) && other['name'] === container['name'];
  return listAt(status, list).find(isSame) ?? {};
}

function phaseOf(statuses: readonly JsonObject[]): string {
  const exits = statuses.map(exitCodeOf);
  if (exits.every((code) => code !== undefined)) return exits.every((code) => code === 0) ? 'Succeeded' : 'Failed';
  const hasNeverRun = (status: JsonObject): boolean =>
    textAt(status, 'state', 'waiting', 'reason') !== '' && Object.keys(status['lastState'] ?? {}).length === 0;
  return statuses.some(hasNeverRun) ? 'Pending' : 'Running';
}
