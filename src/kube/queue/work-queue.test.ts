import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../base/index.ts';
import { ManualTimers, settle } from '../../../test/support/manual-timers.ts';
import { createWorkQueue, type WorkQueueOptions, type WorkResult } from './work-queue.ts';

const log = createLogger({ level: 'error', format: 'text', write: () => undefined });

interface Run {
  readonly key: string;
  readonly signal: AbortSignal;
  finish(result?: WorkResult | Error): Promise<void>;
}

/** A queue whose runs a test ends by hand. */
function openQueue(options: Partial<WorkQueueOptions> = {}) {
  const timers = new ManualTimers();
  const runs: Run[] = [];
  const queue = createWorkQueue({
    concurrency: 1,
    log,
    timers,
    random: () => 0,
    backOff: { firstMs: 1000, maxMs: 8000 },
    work(key, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<WorkResult>();
      const finish = async (result: WorkResult | Error = 'done'): Promise<void> => {
        if (result instanceof Error) reject(result);
        else resolve(result);
        await settle();
      };
      runs.push({ key, signal, finish });
      return promise;
    },
    ...options,
  });
  queue.start();
  const last = (): Run => {
    const run = runs.at(-1);
    if (!run) throw new Error('nothing ran');
    return run;
  };
  return { queue, timers, runs, last, keys: () => runs.map(({ key }) => key) };
}

describe('A work queue', () => {
  it('works on keys in the order in which they came, each once, and keeps nothing when it is done', async () => {
    const { queue, runs, keys } = openQueue();
    for (const key of ['b', 'a', 'b', 'c', 'a']) queue.add(key);
    await settle();
    expect(queue.counts).toMatchObject({ ready: 2, running: 1, delayed: 0 });
    for (let index = 0; index < 3; index += 1) await runs[index]?.finish();
    expect(keys()).toEqual(['b', 'a', 'c']);
    expect(queue.counts).toMatchObject({ ready: 0, running: 0, delayed: 0 });
  });

  it('lets a key come first, also one that waits already or runs, and runs it once for that', async () => {
    const { queue, last, keys } = openQueue();
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
    await settle();
    queue.addFirst('c');
    queue.addFirst('e');
    queue.addFirst('c');
    queue.addFirst('a');
    for (let count = 0; count < 3; count += 1) await last().finish();
    expect(keys()).toEqual(['a', 'c', 'e', 'a']);
    queue.add('c');
    expect(queue.counts).toMatchObject({ ready: 3, running: 1 });
    for (let count = 0; count < 4; count += 1) await last().finish();
    // It waits once, and where everybody does who comes anew.
    expect(keys().slice(4)).toEqual(['b', 'd', 'c']);
    expect(queue.counts).toMatchObject({ ready: 0, running: 0, delayed: 0 });
    queue.add('f');
    await settle();
    expect(last().key).toBe('f');
  });

  it('runs a key that is added while it runs once more afterwards, and never twice at once', async () => {
    const { queue, last, keys } = openQueue({ concurrency: 5 });
    queue.add('a');
    await settle();
    queue.add('a');
    queue.add('a');
    await settle();
    expect(keys()).toEqual(['a']);
    await last().finish();
    expect(keys()).toEqual(['a', 'a']);
    await last().finish();
    expect(keys()).toEqual(['a', 'a']);
  });

  it('waits longer with each failure in a row, up to a limit, and forgets them on success', async () => {
    const { queue, timers, last, runs } = openQueue();
    queue.add('a');
    for (const delayMs of [1000, 2000, 4000, 8000, 8000]) {
      await settle();
      await last().finish(new Error('no'));
      expect(timers.nextInMs).toBe(delayMs);
      const before = runs.length;
      await timers.advance(delayMs - 1);
      expect(runs).toHaveLength(before);
      await timers.advance(1);
      expect(runs).toHaveLength(before + 1);
    }
    await last().finish({ requeueAfterMs: 60_000 });
    queue.add('a');
    await settle();
    await last().finish(new Error('no'));
    const before = runs.length;
    await timers.advance(1000);
    expect(runs).toHaveLength(before + 1);
  });

  it('runs a key again after the time that its worker asked for, or when it is added before, and then not also at that time', async () => {
    const { queue, timers, last, runs } = openQueue();
    queue.add('a');
    await settle();
    await last().finish({ requeueAfterMs: 5000 });
    await timers.advance(4999);
    expect(runs).toHaveLength(1);
    await timers.advance(1);
    expect(runs).toHaveLength(2);
    await last().finish({ requeueAfterMs: 5000 });
    queue.add('a');
    await settle();
    expect(runs).toHaveLength(3);
    await last().finish();
    await timers.advance(10_000);
    expect(runs).toHaveLength(3);
    expect(timers.waiting).toBe(0);
  });

  it('keeps the soonest of the times that were asked for, and keeps it through a run before', async () => {
    const { queue, timers, last, runs } = openQueue();
    queue.addAfter('a', 5000);
    queue.addAfter('a', 2000);
    queue.addAfter('a', 9000);
    queue.add('a');
    await settle();
    await last().finish();
    await timers.advance(2000);
    expect(runs).toHaveLength(2);
    await last().finish();
    await timers.advance(20_000);
    expect(runs).toHaveLength(2);
  });

  it('runs a failing key at once when it is added again, and lets it wait no longer for that', async () => {
    const { queue, timers, last, runs } = openQueue();
    queue.add('a');
    await settle();
    await last().finish(new Error('no'));
    queue.add('a');
    await settle();
    expect(runs).toHaveLength(2);
    queue.add('a');
    await last().finish(new Error('no'));
    expect(runs).toHaveLength(3);
    await last().finish(new Error('no'));
    await timers.advance(999);
    expect(runs).toHaveLength(3);
    await timers.advance(1);
    expect(runs).toHaveLength(4);
    await last().finish(new Error('no'));
    await timers.advance(1999);
    expect(runs).toHaveLength(4);
    await timers.advance(1);
    expect(runs).toHaveLength(5);
  });

  it('remembers nothing of a key that is done', async () => {
    const asked: string[] = [];
    const { queue, last } = openQueue({ groupOf: (key) => `${asked.push(key)}` });
    for (const expected of [1, 2]) {
      queue.add('a');
      queue.add('a');
      await settle();
      await last().finish();
      expect(asked).toHaveLength(expected);
    }
  });

  it('lets groups take turns, so that a noisy one starves nobody', async () => {
    const { queue, keys, last } = openQueue({ groupOf: (key) => key.slice(0, 1) });
    for (let index = 0; index < 100; index += 1) queue.add(`n${index}`);
    for (const key of ['q1', 'q2', 'r1']) queue.add(key);
    await settle();
    for (let index = 0; index < 6; index += 1) await last().finish();
    expect(keys()).toEqual(['n0', 'q1', 'r1', 'n1', 'q2', 'n2', 'n3']);
  });

  it('leaves room for other groups where the work of one hangs', async () => {
    const { queue, keys, runs } = openQueue({ groupOf: (key) => key.slice(0, 1), concurrency: 3, concurrencyPerGroup: 2 });
    for (const key of ['h1', 'h2', 'h3', 'h4']) queue.add(key);
    await settle();
    expect(keys()).toEqual(['h1', 'h2']);
    queue.add('o1');
    await settle();
    expect(keys()).toEqual(['h1', 'h2', 'o1']);
    await runs[0]?.finish();
    expect(keys()).toEqual(['h1', 'h2', 'o1', 'h3']);
  });

  it('tells how long keys wait and run, and how it went', async () => {
    const told: string[] = [];
    const { queue, timers, last } = openQueue({
      groupOf: () => 'g',
      observer: {
        added: (group) => told.push(`added ${group}`),
        started: (group, waitedMs) => told.push(`started ${group} ${waitedMs}`),
        finished: (group, tookMs, outcome) => told.push(`${outcome} ${group} ${tookMs}`),
      },
    });
    queue.add('a');
    queue.add('b');
    await timers.advance(30);
    expect(queue.counts.longestRunningMs).toBe(30);
    await last().finish(new Error('no'));
    await timers.advance(5);
    await last().finish({ requeueAfterMs: 60_000 });
    expect(told).toEqual(['added g', 'started g 0', 'added g', 'failed g 30', 'started g 30', 'requeued g 5']);
    expect(queue.counts).toMatchObject({ delayed: 2, longestRunningMs: 0, runningMs: 0 });
  });

  it('drains: what runs may end, nothing more begins', async () => {
    const { queue, timers, last, keys } = openQueue();
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 10);
    await settle();
    const drained = queue.drain(5000);
    queue.add('d');
    await timers.advance(1000);
    await last().finish();
    expect(await drained).toEqual([]);
    await timers.advance(10_000);
    expect(keys()).toEqual(['a']);
    expect(timers.waiting).toBe(0);
  });

  it('aborts what does not end in the time for draining, and names it', async () => {
    const { queue, timers, last } = openQueue();
    queue.add('a');
    await settle();
    const drained = queue.drain(5000);
    await timers.advance(4999);
    expect(last().signal.aborted).toBe(false);
    await timers.advance(1);
    expect(last().signal.aborted).toBe(true);
    expect(await drained).toEqual(['a']);
  });

  it('aborts what runs at once where draining is cut off', async () => {
    const { queue, timers, last } = openQueue();
    queue.add('a');
    await settle();
    const cutOff = new AbortController();
    const drained = queue.drain(5000, cutOff.signal);
    await timers.advance(100);
    expect(last().signal.aborted).toBe(false);
    cutOff.abort();
    expect(await drained).toEqual(['a']);
    expect(last().signal.aborted).toBe(true);
    expect(timers.waiting).toBe(0);
  });

  it('runs every key after it was last added, whatever happens, and keeps its limits', async () => {
    const step = fc.record({ key: fc.integer({ min: 0, max: 5 }), delayMs: fc.constantFrom(undefined, 0, 3, 40), pauseMs: fc.nat(8) });
    const story = fc.record({
      steps: fc.array(step, { maxLength: 40 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
      concurrencyPerGroup: fc.integer({ min: 1, max: 4 }),
      outcomes: fc.array(fc.constantFrom<'done' | 'throw' | number>('done', 'throw', 0, 7), { minLength: 1, maxLength: 20 }),
    });
    await fc.assert(fc.asyncProperty(story, playStory), { numRuns: 60 });
  });
});

interface QueueStory {
  readonly steps: readonly { readonly key: number; readonly delayMs: number | undefined; readonly pauseMs: number }[];
  readonly concurrency: number;
  readonly concurrencyPerGroup: number;
  readonly outcomes: readonly ('done' | 'throw' | number)[];
}

async function playStory({ steps, concurrency, concurrencyPerGroup, outcomes }: QueueStory): Promise<void> {
  const timers = new ManualTimers();
  const running: string[] = [];
  const startedAt = new Map<string, number>();
  const wanted = new Map<string, number>();
  const groupOf = (key: string): string => `group ${Number(key) % 2}`;
  const left = [...outcomes];
  let ticks = 0;
  const queue = createWorkQueue({
    concurrency,
    concurrencyPerGroup,
    groupOf,
    log,
    timers,
    backOff: { firstMs: 2, maxMs: 16 },
    async work(key) {
      expect(running).not.toContain(key);
      running.push(key);
      expect(running.length).toBeLessThanOrEqual(concurrency);
      expect(running.filter((other) => groupOf(other) === groupOf(key)).length).toBeLessThanOrEqual(concurrencyPerGroup);
      startedAt.set(key, (ticks += 1));
      await new Promise<void>((resolve) => timers.schedule(5, resolve));
      running.splice(running.indexOf(key), 1);
      const outcome = left.shift() ?? 'done';
      if (outcome === 'throw') throw new Error('no');
      return outcome === 'done' ? 'done' : { requeueAfterMs: outcome };
    },
  });
  queue.start();
  for (const { key, delayMs, pauseMs } of steps) {
    wanted.set(`${key}`, (ticks += 1));
    if (delayMs === undefined) queue.add(`${key}`);
    else queue.addAfter(`${key}`, delayMs);
    await timers.advance(pauseMs);
  }
  await timers.advance(2000);
  for (const [key, tick] of wanted) expect(startedAt.get(key), `key ${key}`).toBeGreaterThan(tick);
  expect(queue.counts).toEqual({ ready: 0, running: 0, delayed: 0, longestRunningMs: 0, runningMs: 0 });
}
