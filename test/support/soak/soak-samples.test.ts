import { expect, it } from 'vitest';
import { findTrend, isFlat, type Sample } from './soak-samples.ts';

const EVERY_MS = 30_000;

function samplesOf(memory: readonly number[], pid = 1): readonly Sample[] {
  return memory.map((memoryMb, index) => ({ atMs: index * EVERY_MS, pid, memoryMb, inUseMb: 0, files: 0, children: 0 }));
}

/** Up and down by as much, in turns that have nothing to do with the time. */
function sway(index: number, by: number): number {
  return [1, -1, -1, 1, 0][index % 5]! * by;
}

it('takes what goes up and down for flat', () => {
  const trend = findTrend(samplesOf(Array.from({ length: 40 }, (_, index) => 200 + sway(index, 20))), 'memoryMb', 0);
  expect(trend).toMatchObject({ level: 200, samples: 40 });
  expect(isFlat(trend!, 0)).toBe(true);
});

it('finds a leak under what goes up and down', () => {
  const trend = findTrend(samplesOf(Array.from({ length: 40 }, (_, index) => 200 + index + sway(index, 10))), 'memoryMb', 0);
  expect(trend!.rise).toBeGreaterThan(30);
  expect(isFlat(trend!, 0.05)).toBe(false);
});

it('looks at the last process, after its warm-up', () => {
  const former = samplesOf(Array.from({ length: 40 }, () => 900));
  const last = samplesOf([50, 100, ...Array.from({ length: 20 }, () => 150)], 2);
  expect(findTrend([...former, ...last], 'memoryMb', 2 * EVERY_MS)).toEqual({ level: 150, rise: 0, noise: 0, samples: 20 });
});

it('says nothing of a process that lived too short', () => {
  expect(findTrend(samplesOf([1, 2, 3]), 'memoryMb', 0)).toBeUndefined();
});
