import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Of all processes of a tool together. */
export interface Usage {
  /** With those of programs that they ran and that have ended. */
  readonly processorSeconds: number;
  readonly residentMegabytes: number;
  readonly peakMegabytes: number;
}

export function readUsage(pids: readonly number[]): Usage {
  const usages = pids.map(readProcess);
  const sum = (part: keyof Usage): number => usages.reduce((total, usage) => total + usage[part], 0);
  return {
    processorSeconds: sum('processorSeconds'),
    residentMegabytes: sum('residentMegabytes'),
    peakMegabytes: sum('peakMegabytes'),
  };
}

function readProcess(pid: number): Usage {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  const ticks = fields.slice(11, 15).reduce((total, value) => total + value, 0);
  return {
    processorSeconds: ticks / TICKS_PER_SECOND,
    residentMegabytes: megabytes('VmRSS'),
    peakMegabytes: megabytes('VmHWM'),
  };
}
