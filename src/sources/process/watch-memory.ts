import { readdirSync, readFileSync } from 'node:fs';
import type { Timers } from '../../base/index.ts';

export interface WatchMemoryOptions {
  readonly bytesMax: number;
  readonly timers: Timers;
  /** Called once. */
  readonly onExceeded: () => void;
}

/** Most tools have ended before the first look. */
const EVERY_MS = 200;
const PROCESSES_MAX = 1000;

/**
 * Looks now and then at the memory of a process and of all that it started. Limits of the system itself cannot be set for a program
 * that is started without a shell; where the system tells nothing, nothing is watched. Answers with how to stop.
 */
export function watchMemory(pid: number, { bytesMax, timers, onExceeded }: WatchMemoryOptions): () => void {
  let cancel = timers.schedule(EVERY_MS, look);
  function look(): void {
    if (readTreeBytes(pid) > bytesMax) onExceeded();
    else cancel = timers.schedule(EVERY_MS, look);
  }
  return () => cancel();
}

function readTreeBytes(root: number): number {
  const processes = new Set([root]);
  let total = 0;
  for (const pid of processes) {
    total += readResidentBytes(pid);
    for (const child of readChildren(pid)) if (processes.size < PROCESSES_MAX) processes.add(child);
  }
  return total;
}

function readResidentBytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s*(\d+) kB$/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) * 1024;
}

/** Those that any of its threads started. */
function readChildren(pid: number): number[] {
  let threads: string[] = [];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has ended, or this system has no such folder.
  }
  const words = threads.flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' '));
  return words.filter((word) => /^\d+$/.test(word)).map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // What has ended has no memory.
    return '';
  }
}
