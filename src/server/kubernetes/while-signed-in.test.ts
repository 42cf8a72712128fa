import { expect, it } from 'vitest';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { whileSignedIn } from './while-signed-in.ts';

/** Says one thing, and then nothing until it is let go of. */
async function* endless(): AsyncGenerator<string> {
  yield 'one';
  await new Promise(() => undefined);
}

it('RBAC-17: a stream ends within ten seconds after its reader is no longer signed in', async () => {
  const timers = new ManualTimers();
  let [isThere, ends] = [true, 0];
  const stream = whileSignedIn(endless(), { timers, isSignedIn: async () => isThere, onEnd: () => void (ends += 1) });
  const pieces = stream[Symbol.asyncIterator]();
  expect(await pieces.next()).toEqual({ done: false, value: 'one' });
  const next = pieces.next();
  await timers.advance(60_000);
  expect(ends).toBe(0);
  isThere = false;
  await timers.advance(10_000);
  expect(await next).toEqual({ done: true, value: undefined });
  expect(await pieces.next()).toEqual({ done: true, value: undefined });
  expect([ends, timers.waiting]).toEqual([1, 0]);
});

it('a stream that ends by itself is not looked at any more', async () => {
  const timers = new ManualTimers();
  async function* short(): AsyncGenerator<string> {
    await Promise.resolve();
    yield 'one';
  }
  const found: string[] = [];
  for await (const piece of whileSignedIn(short(), { timers, isSignedIn: async () => false, onEnd: () => undefined })) found.push(piece);
  expect([found, timers.waiting]).toEqual([['one'], 0]);
});

it('a stream that breaks is not looked at any more', async () => {
  const timers = new ManualTimers();
  const broken: AsyncIterable<string> = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('broken')) }) };
  const pieces = whileSignedIn(broken, { timers, isSignedIn: async () => true, onEnd: () => undefined })[Symbol.asyncIterator]();
  await expect(pieces.next()).rejects.toThrow('broken');
  expect(timers.waiting).toBe(0);
});
