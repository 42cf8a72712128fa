import { describe, expect, it } from 'vitest';
import { ApiError, Code } from '../base/index.ts';
import { createFailureCache } from './failure-cache.ts';
import type { FailureCacheOptions } from './failure-cache.ts';

describe('remembered failures', () => {
  let nowMs = 0;
  let tries = 0;
  let isBroken = true;
  const open = (more: Partial<FailureCacheOptions> = {}) => {
    [nowMs, tries, isBroken] = [0, 0, true];
    const clock = { nowMs: () => nowMs };
    const cache = createFailureCache({ clock, freeFailures: 3, pauseMs: 100, pauseMsMax: 350, prefix: 'again: ', ...more });
    return (force = false, code: Code = Code.Unknown): Promise<string> =>
      cache
        .run(
          'key',
          async () => {
            tries += 1;
            if (isBroken) throw new ApiError(code, `failure ${tries}`);
            return 'fine';
          },
          { force },
        )
        .catch((error: unknown) => (error as Error).message);
  };

  it('are told again, for longer and longer, and never for ever', async () => {
    const run = open();
    expect([await run(), await run(), await run(), await run()]).toEqual(['failure 1', 'failure 2', 'failure 3', 'again: failure 3']);
    nowMs = 99;
    expect(await run()).toBe('again: failure 3');
    nowMs = 100;
    expect([await run(), await run()]).toEqual(['failure 4', 'again: failure 4']);
    nowMs = 299;
    expect(await run()).toBe('again: failure 4');
    nowMs = 300;
    expect(await run()).toBe('failure 5');
    nowMs = 649;
    expect(await run()).toBe('again: failure 5');
    nowMs = 650;
    expect(await run()).toBe('failure 6');
  });

  it('are not told to whoever asks for it to be tried again, and end with a success', async () => {
    const run = open();
    for (let count = 0; count < 3; count += 1) await run();
    expect([await run(), await run(true)]).toEqual(['again: failure 3', 'failure 4']);
    isBroken = false;
    expect([await run(), await run(true), await run()]).toEqual(['again: failure 4', 'fine', 'fine']);
    isBroken = true;
    expect(await run()).toBe('failure 7');
  });

  it('are none where it was given up, or something broke here', async () => {
    const run = open();
    for (const code of [Code.Canceled, Code.ResourceExhausted, Code.Internal])
      for (let count = 0; count < 4; count += 1) expect(await run(false, code)).toMatch(/^failure/);
    expect(tries).toBe(12);
  });

  it('are not told for longer because the clock was set back', async () => {
    const run = open();
    nowMs = 3_600_000;
    for (let count = 0; count < 3; count += 1) await run();
    expect(await run()).toBe('again: failure 3');
    nowMs = 1_000;
    expect([await run(), await run()]).toEqual(['failure 4', 'again: failure 4']);
  });

  it('begin anew a while after the first, where the pause does not grow', async () => {
    const run = open({ forgetMs: 1000 });
    for (let count = 0; count < 3; count += 1) await run();
    nowMs = 999;
    expect(await run()).toBe('again: failure 3');
    nowMs = 1000;
    expect([await run(), await run(), await run(), await run()]).toEqual(['failure 4', 'failure 5', 'failure 6', 'again: failure 6']);
  });

  it('begin anew after so many answers', async () => {
    const run = open({ answersMax: 2, forgetMs: 1e9 });
    const said: string[] = [];
    for (let count = 0; count < 7; count += 1) said.push(await run());
    expect(said.slice(2)).toEqual(['failure 3', 'again: failure 3', 'again: failure 3', 'failure 4', 'failure 5']);
  });

  it('are not remembered at all where none are free', async () => {
    const run = open({ freeFailures: 0 });
    for (let count = 1; count < 9; count += 1) expect(await run()).toBe(`failure ${count}`);
  });
});
