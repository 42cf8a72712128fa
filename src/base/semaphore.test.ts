import { describe, expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

describe('a semaphore', () => {
  it('runs so many, lets so many wait and refuses the rest without calling them', async () => {
    const semaphore = createSemaphore({ runningMax: 2, waitingMax: 3 });
    const started: number[] = [];
    const gate = Promise.withResolvers<void>();
    const results = Array.from({ length: 8 }, (_, index) =>
      semaphore.tryRun(async () => {
        started.push(index);
        await gate.promise;
        return index;
      }),
    );
    await Promise.resolve();
    expect(started).toEqual([0, 1]);
    expect(results.map((result) => result === undefined)).toEqual([false, false, false, false, false, true, true, true]);
    gate.resolve();
    expect(await Promise.all(results.filter((result) => result !== undefined))).toEqual([0, 1, 2, 3, 4]);
    expect(started).toEqual([0, 1, 2, 3, 4]);
  });

  it('frees the place of a task that fails', async () => {
    const semaphore = createSemaphore({ runningMax: 1, waitingMax: 0 });
    await expect(semaphore.tryRun(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(semaphore.tryRun(() => Promise.resolve('yes'))).resolves.toBe('yes');
  });
});
