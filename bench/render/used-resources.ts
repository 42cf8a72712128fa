import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';

let processes = 0;
subscribe('child_process', () => {
  processes += 1;
});

export interface UsedResources {
  /** Of this process and of those that it started and that have ended, in seconds. */
  readonly processorSeconds: number;
  /** How many processes it started. */
  readonly processes: number;
}

export function readUsedResources(): UsedResources {
  const { user, system } = process.cpuUsage();
  return { processorSeconds: (user + system) / 1e6 + readChildrenSeconds(), processes };
}

/** Clock ticks are hundredths of a second on every Linux that there is; elsewhere the children are not counted. */
function readChildrenSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}
