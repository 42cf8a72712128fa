import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { WorkLoop } from './work-loop.ts';

let lines: string[];
let runs: string[];
let isBroken: boolean;
let loop: WorkLoop<string>;

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  runs = [];
  isBroken = true;
  const log = createLogger({ level: 'error', format: 'text', write: (line) => lines.push(line) });
  loop = new WorkLoop('test', log, (item) => {
    runs.push(item);
    return isBroken ? Promise.reject(new Error('no')) : Promise.resolve();
  });
});
afterEach(async () => {
  await loop.stop();
  vi.useRealTimers();
});

describe('a loop of work', () => {
  it('tries what fails until it is done, at last once a minute, and says so', async () => {
    loop.add('a', 'a');
    await vi.advanceTimersByTimeAsync(3_600_000);
    const before = runs.length;
    expect(before).toBeGreaterThan(60);
    expect(before).toBeLessThan(150);
    expect(lines).toHaveLength(Math.floor(before / 5));
    isBroken = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toHaveLength(before + 1);
    await loop.idle();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does at once what is asked for again, and keeps one retry of it', async () => {
    loop.add('a', 'a');
    await vi.advanceTimersByTimeAsync(60_000);
    for (let count = 0; count < 3; count += 1) {
      const before = runs.length;
      loop.add('a', 'a');
      await vi.advanceTimersByTimeAsync(0);
      expect([runs.length, vi.getTimerCount()]).toEqual([before + 1, 1]);
    }
    isBroken = false;
    loop.add('a', 'a');
    await loop.idle();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for nothing once it is stopped', async () => {
    loop.add('a', 'a');
    await vi.advanceTimersByTimeAsync(0);
    expect([vi.getTimerCount(), loop.isIdle]).toEqual([1, false]);
    await loop.stop();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(runs).toEqual(['a']);
  });
});
