import { describe, expect, it } from 'vitest';
import { createMemory } from './application-memory.ts';
import type { Comparison } from './compare.ts';
import { nextTroubleLook } from './live-trouble.ts';

const failed = (isLasting: boolean, cause = 'live'): Comparison =>
  ({ kind: 'failed', cause, isLasting, problems: [] }) as unknown as Comparison;

describe('An application whose cluster cannot be read', () => {
  it('is looked at soon again, however long it lasts', () => {
    const memory = createMemory();
    expect(Array.from({ length: 10 }, () => nextTroubleLook(failed(false), memory))).toEqual(Array.from({ length: 10 }, () => 3_000));
  });

  it('is looked at less and less often where it does not pass by itself, until it is another trouble', () => {
    const memory = createMemory();
    const looks = Array.from({ length: 8 }, () => nextTroubleLook(failed(true), memory));
    expect(looks).toEqual([3_000, 6_000, 12_000, 24_000, 48_000, 96_000, 120_000, 120_000]);
    expect(nextTroubleLook(failed(false), memory)).toBe(3_000);
    expect(nextTroubleLook(failed(true), memory)).toBe(3_000);
    expect(nextTroubleLook(failed(false, 'target'), memory)).toBeUndefined();
  });
});
