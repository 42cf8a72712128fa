import { readdir, readFile } from 'node:fs/promises';
import { askAlone } from '../ask-alone.ts';
import type { Fairway } from '../fairway.ts';

export interface Level {
  /** Resident memory. */
  readonly memoryMb: number;
  /** As of the last garbage collection. */
  readonly inUseMb: number;
  readonly files: number;
  readonly children: number;
}

/** For a program whose level is to be read. */
export const collectingEnvironment = { NODE_OPTIONS: `--import ${new URL('./collect-on-signal.js', import.meta.url).href}` };

/** Whether the program wrote a line because it was asked to collect. */
export function isLevelLine(line: string): boolean {
  return line.startsWith('memory in use: ');
}

/** What a program holds after a garbage collection. */
export async function levelOf(fairway: Fairway): Promise<Level> {
  await collectGarbage(fairway);
  return readLevel(fairway);
}

/** Returns when it is done: the collection stops everything else, so an answer comes only after it. */
export async function collectGarbage(fairway: Fairway): Promise<void> {
  process.kill(fairway.pid, 'SIGUSR2');
  await askAlone(fairway, '/healthz');
  process.kill(fairway.pid, 'SIGUSR2');
  await askAlone(fairway, '/healthz');
}

export async function readLevel(fairway: Fairway): Promise<Level> {
  const { pid } = fairway;
  const [status, files, children] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readdir(`/proc/${pid}/fd`),
    readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'),
  ]);
  const memoryMb = Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024);
  const inUseMb = Math.round(Number(/.*memory in use: (\d+)/s.exec(fairway.output())?.[1] ?? 0) / 1_048_576);
  return { memoryMb, inUseMb, files: files.length, children: children.split(' ').filter(Boolean).length };
}
