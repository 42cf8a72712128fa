import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The processors that this process may use, lowest first. */
export function listProcessors(): number[] {
  if (!existsSync('/proc/self/status')) return [];
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = NaN, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Keeps a running process, with all its threads, on one processor. False where that cannot be done. */
export function pinProcess(pid: number, processor: number | undefined): boolean {
  if (processor === undefined) return false;
  try {
    execFileSync('taskset', ['-a', '-p', '-c', String(processor), String(pid)], { stdio: 'ignore' });
    return true;
  } catch {
    // There is no taskset, or we may not use it; the caller says so in its output.
    return false;
  }
}

/** The processor time that all threads of a process have used so far; NaN where the system does not tell. */
export function readProcessorMs(pid: number): number {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return NaN;
  let nanoseconds = 0;
  for (const thread of readdirSync(folder)) nanoseconds += Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]);
  return nanoseconds / 1e6;
}

/** The memory of a process that is in use, in megabytes; NaN where the system does not tell. */
export function readResidentMb(pid: number): number {
  if (!existsSync(`/proc/${pid}/status`)) return NaN;
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
