import { describe, expect, it } from 'vitest';
import { backOffMs } from './back-off.ts';

const options = { firstMs: 500, maxMs: 30_000 };

describe('backOffMs', () => {
  it('doubles with each failure up to the longest delay', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 1000, 1e9].map((failures) => backOffMs(options, failures, () => 0));
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  });

  it('takes off a random part of up to a half, so that it is never nothing', () => {
    for (const failures of [0, 1, 5, 50]) {
      const full = backOffMs(options, failures, () => 0);
      expect(backOffMs(options, failures, () => 0.5)).toBe(full * 0.75);
      expect(backOffMs(options, failures, () => 0.999_999)).toBeGreaterThan(full / 2);
    }
  });
});
