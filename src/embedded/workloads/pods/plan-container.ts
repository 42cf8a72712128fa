import { createHash } from 'node:crypto';
import { formatTime, parseTime } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import { numberAt, objectAt, textAt, valueAt } from '../../json-path.ts';
import type { Simulation } from '../simulation.ts';
import { readCommand } from './container-command.ts';

/** How long a run-to-completion container takes whose command does not say. */
const DEFAULT_RUN_MS = 1_000;
const CRASH_AFTER_MS = 1_000;
const PULL_BACK_OFF_MS = 10_000;
const RESTART_FIRST_MS = 1_000;
const RESTART_MAX_MS = 300_000;

export interface ContainerInput {
  readonly podUid: string;
  readonly container: JsonObject;
  /** The status that it has; an empty object before its first. */
  readonly before: JsonObject;
  readonly restartPolicy: string;
  readonly simulation: Simulation;
  /** When it may start, and what it waits for until then. */
  readonly startMs: number;
  readonly waitingFor: 'ContainerCreating' | 'PodInitializing';
  readonly nowMs: number;
}

export interface ContainerPlan {
  readonly status: JsonObject;
  /** When time alone will change it next. */
  readonly wakeMs?: number;
}

interface Planned {
  readonly state: JsonObject;
  readonly lastState?: JsonObject;
  readonly restartCount?: number;
  readonly ready?: boolean;
  readonly wakeMs?: number;
}

/** What becomes of a container now, from what it was: a step of a small machine that time and annotations drive. */
export function planContainer(input: ContainerInput): ContainerPlan {
  const { container, before, podUid } = input;
  const planned = planState(input);
  const { state, ready = false, wakeMs } = planned;
  const restartCount = planned.restartCount ?? numberAt(before, 'restartCount') ?? 0;
  const image = textAt(container, 'image');
  const hasRun = state['running'] !== undefined || state['terminated'] !== undefined || restartCount > 0;
  const status = {
    name: textAt(container, 'name'),
    state,
    lastState: planned.lastState ?? objectAt(before, 'lastState'),
    ready,
    restartCount,
    image,
    imageID: hasRun ? `${image}@sha256:${digest(image)}` : '',
    ...(hasRun && { containerID: `simulated://${digest(`${podUid}/${textAt(container, 'name')}/${restartCount}`)}` }),
    started: state['running'] !== undefined,
  };
  return { status, ...(wakeMs !== undefined && { wakeMs }) };
}

function planState(input: ContainerInput): Planned {
  const { before } = input;
  const state = objectAt(before, 'state');
  if (state['terminated'] !== undefined) return { state };
  if (state['running'] !== undefined) return planRunning(input, state);
  const reason = textAt(state, 'waiting', 'reason');
  if (reason === 'CrashLoopBackOff') return planRestart(input, state);
  return planStart(input, reason === 'RunContainerError');
}

function planStart(input: ContainerInput, isRestart: boolean): Planned {
  const { before, startMs, waitingFor, nowMs, simulation, container, restartPolicy } = input;
  if (nowMs < startMs) return { state: { waiting: { reason: waitingFor } }, wakeMs: startMs };
  const image = textAt(container, 'image');
  if (image.includes('invalid')) return planPullFailure(image, startMs, nowMs);
  if (simulation.behavior === 'fail' && restartPolicy === 'Always') return { state: failedToRun() };
  const restartCount = (numberAt(before, 'restartCount') ?? 0) + (isRestart ? 1 : 0);
  const started: JsonObject = { running: { startedAt: formatTime(nowMs) } };
  return { ...planRunning(input, started), restartCount };
}

function planPullFailure(image: string, startMs: number, nowMs: number): Planned {
  if (nowMs < startMs + PULL_BACK_OFF_MS) {
    const message = `failed to pull image "${image}": simulated: an image whose name holds "invalid" cannot be pulled`;
    return { state: { waiting: { reason: 'ErrImagePull', message } }, wakeMs: startMs + PULL_BACK_OFF_MS };
  }
  return { state: { waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` } } };
}

function failedToRun(): JsonObject {
  return { waiting: { reason: 'RunContainerError', message: 'simulated: the annotation simulate.fairway.dev/behavior says fail' } };
}

function planRunning(input: ContainerInput, state: JsonObject): Planned {
  const { simulation, restartPolicy, nowMs, container } = input;
  const startedMs = parseTime(textAt(state, 'running', 'startedAt')) ?? nowMs;
  if (simulation.behavior === 'hang') return { state };
  if (simulation.behavior === 'fail' && restartPolicy === 'Always')
    return { state: failedToRun(), lastState: { terminated: ended(state, 1, nowMs) } };
  const isCrashing = simulation.behavior === 'crash-loop';
  if (restartPolicy === 'Always' && !isCrashing) return { state, ready: true };
  const command = readCommand(container);
  const exitCode = isCrashing || simulation.behavior === 'fail' ? command.exitCode || 1 : command.exitCode;
  const endMs = startedMs + (isCrashing ? CRASH_AFTER_MS : (command.durationMs ?? DEFAULT_RUN_MS));
  if (nowMs < endMs) return { state, ready: !isCrashing, wakeMs: endMs };
  const terminated = ended(state, exitCode, endMs);
  if (restartPolicy === 'Never' || exitCode === 0) return { state: { terminated } };
  return planBackOff(input, terminated);
}

function ended(state: JsonObject, exitCode: number, endMs: number): JsonObject {
  const startedAt = textAt(state, 'running', 'startedAt');
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt, finishedAt: formatTime(endMs) };
}

function planBackOff({ container, before }: ContainerInput, terminated: JsonObject): Planned {
  const restarts = numberAt(before, 'restartCount') ?? 0;
  const delayMs = Math.min(RESTART_FIRST_MS * 2 ** Math.min(restarts, 20), RESTART_MAX_MS);
  const message = `back-off ${delayMs / 1_000}s restarting failed container=${textAt(container, 'name')}`;
  return {
    state: { waiting: { reason: 'CrashLoopBackOff', message } },
    lastState: { terminated },
    wakeMs: (parseTime(textAt(terminated, 'finishedAt')) ?? 0) + delayMs,
  };
}

function planRestart(input: ContainerInput, state: JsonObject): Planned {
  const { before, nowMs, simulation, restartPolicy } = input;
  const terminated = objectAt(before, 'lastState', 'terminated');
  const { wakeMs = 0 } = planBackOff(input, terminated);
  const isMended = simulation.behavior === 'normal' && restartPolicy === 'Always';
  if (nowMs < wakeMs && !isMended) return { state, wakeMs };
  const restartCount = (numberAt(before, 'restartCount') ?? 0) + 1;
  return { ...planRunning(input, { running: { startedAt: formatTime(nowMs) } }), restartCount };
}

/** Whether a container of this status has ended for good. */
export function exitCodeOf(status: JsonObject): number | undefined {
  return valueAt(status, ['state', 'terminated']) === undefined ? undefined : (numberAt(status, 'state', 'terminated', 'exitCode') ?? 0);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
