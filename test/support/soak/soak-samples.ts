import { readFileSync } from 'node:fs';
import type { Fairway } from '../fairway.ts';
import { levelOf, type Level } from '../level/process-level.ts';

const PEAK_EVERY_MS = 1_000;
/** A collection stops everything else for a tenth of a second: as rarely as a soak of this length allows. */
const LEVELS_WANTED = 60;
const LEVEL_EVERY_LEAST_MS = 5_000;
/** Fewer say nothing. */
const TREND_LEAST = 12;
/** How many times the error of a rise may hide it. */
const NOISE_ERRORS = 3;

export interface Sample extends Level {
  readonly atMs: number;
  readonly pid: number;
}

export interface Sampling {
  readonly samples: readonly Sample[];
  /** Resident at the most, between collections too. */
  readonly megabytesMost: () => number;
  readonly stop: () => void;
}

/**
 * Looks again and again at what a process holds, whichever it is at that moment, each time after a garbage collection: without one, what is
 * resident says more about when Node has last had the time for it than about what is in use.
 */
export function startSampling(fairway: () => Fairway | undefined, durationMs: number): Sampling {
  const samples: Sample[] = [];
  let most = 0;
  let isLooking = false;
  const look = async (): Promise<void> => {
    const now = fairway();
    if (now === undefined || isLooking) return;
    isLooking = true;
    try {
      samples.push({ atMs: Date.now(), pid: now.pid, ...(await levelOf(now)) });
    } catch {
      // It was killed just now.
    } finally {
      isLooking = false;
    }
  };
  const peaks = setInterval(() => (most = Math.max(most, readMegabytes(fairway()?.pid))), PEAK_EVERY_MS);
  const levels = setInterval(() => void look(), Math.max(LEVEL_EVERY_LEAST_MS, durationMs / LEVELS_WANTED));
  return {
    samples,
    megabytesMost: () => Math.round(most),
    stop() {
      clearInterval(peaks);
      clearInterval(levels);
    },
  };
}

function readMegabytes(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/** A line through what was held. */
export interface Trend {
  /** In the middle. */
  readonly level: number;
  /** From the first sample to the last, along the line. */
  readonly rise: number;
  /** What the rise could be if nothing rose. */
  readonly noise: number;
  readonly samples: number;
}

/** Of the last process, without its warm-up; undefined where it did not live long enough to tell. */
export function findTrend(samples: readonly Sample[], part: keyof Level, warmUpMs: number): Trend | undefined {
  const pid = samples.at(-1)?.pid;
  const own = samples.filter((sample) => sample.pid === pid);
  const from = (own[0]?.atMs ?? 0) + warmUpMs;
  const points = own.filter(({ atMs }) => atMs >= from).map((sample) => ({ x: sample.atMs, y: sample[part] }));
  return points.length < TREND_LEAST ? undefined : fitLine(points);
}

function fitLine(points: readonly { readonly x: number; readonly y: number }[]): Trend {
  const count = points.length;
  const sum = (value: (point: { readonly x: number; readonly y: number }) => number): number =>
    points.reduce((total, point) => total + value(point), 0);
  const middleX = sum(({ x }) => x) / count;
  const middleY = sum(({ y }) => y) / count;
  const spread = sum(({ x }) => (x - middleX) ** 2);
  const slope = sum(({ x, y }) => (x - middleX) * (y - middleY)) / spread;
  const scatter = sum(({ x, y }) => (y - middleY - slope * (x - middleX)) ** 2) / (count - 2);
  const span = (points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0);
  const error = Math.sqrt(scatter / spread) * span;
  return { level: round(middleY), rise: round(slope * span), noise: round(NOISE_ERRORS * error), samples: count };
}

/** Whether a rise is within the noise, or too small to matter: a share of the level, for caches that fill slowly. */
export function isFlat({ level, rise, noise }: Trend, share: number): boolean {
  return rise <= Math.max(noise, level * share);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
