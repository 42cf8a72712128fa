import { beforeEach, expect, it } from 'vitest';
import { createSpareTime } from './spare-time.ts';

let nowMs = 0;
const timers = { nowMs: () => nowMs, schedule: () => () => undefined };
const takes = (milliseconds: number) => () => {
  nowMs += milliseconds;
};

beforeEach(() => {
  nowMs = 0;
});

it('is used up by much work at once, and comes back slowly', () => {
  const spareTime = createSpareTime(timers);
  for (let round = 0; round < 4; round += 1) {
    expect(spareTime.isLeft()).toBe(true);
    spareTime.use(takes(30));
  }
  expect(spareTime.isLeft()).toBe(false);
  nowMs += 900;
  expect(spareTime.isLeft()).toBe(false);
  nowMs += 200;
  expect(spareTime.isLeft()).toBe(true);
});

it('counts work that fails', () => {
  const spareTime = createSpareTime(timers);
  const fail = (): void =>
    spareTime.use(() => {
      nowMs += 101;
      throw new Error('no');
    });
  expect(fail).toThrow('no');
  expect(spareTime.isLeft()).toBe(false);
});
