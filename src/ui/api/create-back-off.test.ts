import { describe, expect, it } from 'vitest';
import { createBackOff } from './create-back-off.ts';

describe('the pause before a stream is opened again', () => {
  it('grows where streams open and break at once, up to a limit', () => {
    const backOff = createBackOff();
    const pauses = [0, 1_000, 3_000, 6_000, 12_000, 24_000, 40_000].map((nowMs) => {
      backOff.opened(nowMs);
      return backOff.nextMs(nowMs + 50);
    });
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  });

  it('is short again after one has lived for a while, and not for one that could not be opened', () => {
    const backOff = createBackOff();
    for (const nowMs of [0, 1, 2]) backOff.nextMs(nowMs);
    backOff.opened(10_000);
    expect(backOff.nextMs(30_000)).toBe(500);
    expect(backOff.nextMs(60_000)).toBe(1_000);
  });
});
