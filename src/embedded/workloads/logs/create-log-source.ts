import { pause, systemTimers } from '../../../base/index.ts';
import type { Clock, Timers } from '../../../base/index.ts';
import { statusError } from '../../../objects/index.ts';
import type { LogOptions, ObjectRef } from '../../../kube/index.ts';
import type { LogSource } from '../../embedded-api.ts';
import type { ObjectCache } from '../object-cache.ts';
import type { View } from '../view.ts';
import { findRun, isRunning } from './find-run.ts';
import { logLines, nextLineMs } from './log-lines.ts';
import type { ContainerRun } from './log-lines.ts';
import { createByteBudget, formatLine, selectLines } from './select-lines.ts';

export interface LogSourceOptions {
  readonly cache: ObjectCache;
  readonly clock: Clock;
  readonly timers?: Timers;
}

/** Gives the logs of simulated containers. A request that makes no sense is refused when the first chunk is asked for. */
export function createLogSource(source: LogSourceOptions): LogSource {
  return (ref, options) => readLog(source, ref, options);
}

async function* readLog(source: LogSourceOptions, ref: ObjectRef, options: LogOptions): AsyncGenerator<Uint8Array> {
  const { clock } = source;
  const pod = findPod(source, ref);
  if (pod === undefined) throw notFound(ref);
  const run = findRun(pod, options);
  const budget = createByteBudget(options.limitBytes);
  const nowMs = clock.nowMs();
  const lines = selectLines(logLines(run, nowMs), options, nowMs);
  const first = budget.take(lines.map((line) => formatLine(line, options.timestamps === true)).join(''));
  if (first.byteLength > 0) yield first;
  if (options.follow === true && run.endedMs === undefined) yield* followRun({ ...source, run, ref, budget, options }, nowMs);
}

interface Following extends LogSourceOptions {
  readonly run: ContainerRun;
  readonly ref: ObjectRef;
  readonly budget: ReturnType<typeof createByteBudget>;
  readonly options: LogOptions;
}

/** A line each second, until the container, the pod or the reader's patience ends. */
async function* followRun(following: Following, sinceMs: number): AsyncGenerator<Uint8Array> {
  const { run, ref, budget, options, clock, timers = systemTimers } = following;
  const isStopped = (): boolean => budget.isSpent || options.signal?.aborted === true;
  let toldMs = sinceMs;
  while (!isStopped()) {
    await pause(timers, Math.max(nextLineMs(run, toldMs) - clock.nowMs(), 1), options.signal);
    if (isStopped()) return;
    const pod = findPod(following, ref);
    const goesOn = isRunning(pod, run);
    const nowMs = clock.nowMs();
    const state = goesOn ? run : lastRun(pod, run);
    const lines = logLines(state, nowMs).filter(({ timeMs }) => timeMs > toldMs || (timeMs === toldMs && state.endedMs === timeMs));
    const bytes = budget.take(lines.map((line) => formatLine(line, options.timestamps === true)).join(''));
    if (bytes.byteLength > 0) yield bytes;
    if (!goesOn) return;
    toldMs = nowMs;
  }
}

/** The run as it has ended, where the pod still says so. */
function lastRun(pod: View | undefined, run: ContainerRun): ContainerRun {
  if (pod?.uid !== run.podUid) return run;
  try {
    const now = findRun(pod, { container: run.container });
    return now.startedMs === run.startedMs ? now : run;
  } catch {
    // It is about to start anew, and has no run of its own yet.
    return run;
  }
}

function findPod({ cache }: LogSourceOptions, { namespace = '', name }: ObjectRef): View | undefined {
  return cache.get('Pod', namespace, name);
}

function notFound({ name }: ObjectRef): Error {
  return statusError('NotFound', `pods "${name}" not found`);
}
