import { hashText } from '../names.ts';

/** One life of a container, as far as its log goes. */
export interface ContainerRun {
  readonly podName: string;
  readonly podUid: string;
  readonly container: string;
  readonly image: string;
  readonly restartCount: number;
  readonly startedMs: number;
  /** Undefined while it runs. */
  readonly endedMs: number | undefined;
  readonly exitCode: number;
}

export interface LogLine {
  readonly timeMs: number;
  readonly text: string;
}

const LINE_EVERY_MS = 1_000;
/** Older lines are gone, as from a log that is rotated; the first one stays. */
const LINES_KEPT = 1_000;
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT'];
const PATHS = ['/', '/healthz', '/api/items', '/api/items/42', '/metrics', '/assets/app.css'];
const STATUSES = [200, 200, 200, 200, 204, 304, 404];

/** The lines of a run up to a moment: one when it starts, then one each second, then how it ended. The same ones whenever they are asked for. */
export function logLines(run: ContainerRun, untilMs: number): readonly LogLine[] {
  const endMs = Math.min(run.endedMs ?? untilMs, untilMs);
  const count = Math.max(Math.floor((endMs - run.startedMs) / LINE_EVERY_MS), 0);
  const first = Math.max(count - LINES_KEPT, 0) + 1;
  const lines: LogLine[] = [{ timeMs: run.startedMs, text: openingLine(run) }];
  for (let index = first; index <= count; index += 1)
    lines.push({ timeMs: run.startedMs + index * LINE_EVERY_MS, text: lineAt(run, index) });
  if (run.endedMs !== undefined && run.endedMs <= untilMs) lines.push({ timeMs: run.endedMs, text: closingLine(run) });
  return lines;
}

/** When the run's next line comes, after a moment. */
export function nextLineMs(run: ContainerRun, afterMs: number): number {
  const index = Math.floor((afterMs - run.startedMs) / LINE_EVERY_MS) + 1;
  return run.startedMs + Math.max(index, 0) * LINE_EVERY_MS;
}

function openingLine({ podName, container, image }: ContainerRun): string {
  return `[simulation] no container runs here: Fairway makes up the log of ${container} (${image}) in pod ${podName}`;
}

function closingLine({ exitCode }: ContainerRun): string {
  return exitCode === 0 ? '[simulation] finished' : `[simulation] failed with exit code ${exitCode}`;
}

function lineAt({ podUid, container, restartCount }: ContainerRun, index: number): string {
  const chance = hashText(`${podUid}/${container}/${restartCount}/${index}`);
  const pick = <Item>(items: readonly Item[], shift: number): Item | undefined => items[(chance >>> shift) % items.length];
  const request = `${pick(METHODS, 0)} ${pick(PATHS, 5)}`;
  return `level=info msg="request served" request="${request}" status=${pick(STATUSES, 11)} duration=${1 + ((chance >>> 17) % 90)}ms line=${index}`;
}
