/** What this process itself uses, for measurements that need no other. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** In use by objects, after collections that leave nothing to collect. */
export function heapBytes(): number {
  for (let round = 0; round < 4; round += 1) collect();
  return process.memoryUsage().heapUsed;
}

export function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return Math.round((user + system) / 1000);
}

export function megabytes(bytes: number): number {
  return Math.round((bytes / (1 << 20)) * 10) / 10;
}
