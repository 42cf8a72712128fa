import { describe, expect, it } from 'vitest';
import { mapBounded } from './map-bounded.ts';

describe('Work on many things', () => {
  it('is done so many at once, and answers in their order', async () => {
    let running = 0;
    let most = 0;
    const results = await mapBounded([3, 1, 2, 5, 4], 2, async (item) => {
      most = Math.max(most, ++running);
      for (let turn = 0; turn < item; turn++) await Promise.resolve();
      running--;
      return item * 10;
    });
    expect(results).toEqual([30, 10, 20, 50, 40]);
    expect(most).toBe(2);
    expect(await mapBounded([1, 2, 3], Infinity, async (item) => item)).toEqual([1, 2, 3]);
    expect(await mapBounded([], 2, async () => 1)).toEqual([]);
  });

  it('fails with the first that fails, and begins nothing more', async () => {
    const begun: number[] = [];
    const work = async (item: number): Promise<void> => {
      begun.push(item);
      await Promise.resolve();
      if (item === 2) throw new Error('no');
    };
    await expect(mapBounded([1, 2, 3, 4, 5, 6, 7, 8], 2, work)).rejects.toThrow('no');
    expect(begun.length).toBeLessThan(5);
  });
});
