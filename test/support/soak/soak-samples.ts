import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 2_000;

export interface Sample {
  readonly atMs: number;
  readonly pid: number;
  readonly megabytes: number;
  readonly handles: number;
}

/** Looks every few seconds at what a process holds, whichever it is at that moment. */
export function startSampling(pid: () => number | undefined): { readonly samples: readonly Sample[]; readonly stop: () => void } {
  const samples: Sample[] = [];
  const look = (): void => {
    const now = pid();
    const sample = now === undefined ? undefined : readSample(now);
    if (sample) samples.push(sample);
  };
  const timer = setInterval(look, EVERY_MS);
  return { samples, stop: () => clearInterval(timer) };
}

function readSample(pid: number): Sample | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    return { atMs: Date.now(), pid, megabytes: kilobytes / 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    // It was killed just now.
    return undefined;
  }
}

/** What is held at the least, early and late: what is on top of it comes and goes with the work. */
export interface Floors {
  readonly early: number;
  readonly late: number;
}

/** Of the last process, without its first minute; undefined where it did not live long enough to tell. */
export function findFloors(samples: readonly Sample[], part: 'megabytes' | 'handles', warmUpMs: number): Floors | undefined {
  const pid = samples.at(-1)?.pid;
  const own = samples.filter((sample) => sample.pid === pid);
  const from = (own[0]?.atMs ?? 0) + warmUpMs;
  const values = own.filter(({ atMs }) => atMs >= from).map((sample) => sample[part]);
  const third = Math.floor(values.length / 3);
  if (third < 10) return undefined;
  return { early: Math.min(...values.slice(0, third)), late: Math.min(...values.slice(-third)) };
}
