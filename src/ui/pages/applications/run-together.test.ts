import { describe, expect, it } from 'vitest';
import { runTogether } from './run-together.ts';

describe('work on many', () => {
  it('is done a few at a time, all of it', async () => {
    let [atOnce, most, done] = [0, 0, 0];
    await runTogether([1, 2, 3, 4, 5], { concurrency: 2 }, async () => {
      most = Math.max(most, (atOnce += 1));
      await Promise.resolve();
      atOnce -= 1;
      done += 1;
    });
    expect([most, done]).toEqual([2, 5]);
  });

  it('begins nothing more once it is stopped, and waits for what is under way', async () => {
    const stop = new AbortController();
    const gate = Promise.withResolvers<void>();
    const [begun, ended]: [number[], number[]] = [[], []];
    const all = runTogether([1, 2, 3, 4, 5], { concurrency: 2, signal: stop.signal }, async (item) => {
      begun.push(item);
      await gate.promise;
      ended.push(item);
    });
    stop.abort();
    gate.resolve();
    await all;
    expect([begun, ended]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});
