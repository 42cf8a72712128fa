import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 250;

interface ProcessFacts {
  readonly parent: number;
  readonly ticks: number;
}

/** The processor seconds of the processes of a tool, with those of programs that they ran and that have ended. */
export function readProcessorSeconds(pids: readonly number[]): number {
  return pids.reduce((total, pid) => total + (readFacts(pid)?.ticks ?? 0), 0) / TICKS_PER_SECOND;
}

/** The resident memory of the processes of a tool, and of the programs that they are running at this moment. */
export function readMegabytes(pids: readonly number[]): number {
  return withDescendants(pids).reduce((total, pid) => total + residentMegabytes(pid), 0);
}

/** Looks at the memory of a tool several times a second, until it is asked for the most. */
export function watchMegabytes(pids: () => readonly number[]): { stop(): number } {
  let most = 0;
  const look = (): void => {
    most = Math.max(most, readMegabytes(pids()));
  };
  const timer = setInterval(look, SAMPLE_MS);
  return {
    stop() {
      look();
      clearInterval(timer);
      return most;
    },
  };
}

function withDescendants(pids: readonly number[]): readonly number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    const parent = Number.isInteger(pid) ? readFacts(pid)?.parent : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const all = [...pids];
  for (const pid of all) all.push(...(children.get(pid) ?? []));
  return all;
}

function readFacts(pid: number): ProcessFacts | undefined {
  const text = readOrNothing(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name, which may hold anything, is in brackets.
  const fields = text
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  return { parent: fields[1] ?? 0, ticks: fields.slice(11, 15).reduce((total, value) => total + value, 0) };
}

function residentMegabytes(pid: number): number {
  const status = readOrNothing(`/proc/${pid}/status`) ?? '';
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}

/** A process may end while it is looked at. */
function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
