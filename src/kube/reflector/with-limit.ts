import type { Timers } from '../../base/index.ts';
import { ReflectorFailure } from './trouble.ts';

/** Runs a request with a limit on its time, and gives it up when `signal` is aborted, whether or not it listens. */
export async function withLimit<Result>(
  { timers, limitMs, signal }: { readonly timers: Timers; readonly limitMs: number; readonly signal: AbortSignal },
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const givenUp = Promise.withResolvers<never>();
  const giveUp = (message: string): void => {
    givenUp.reject(new ReflectorFailure('unreachable', message));
    controller.abort();
  };
  const stop = (): void => giveUp('stopped');
  const cancel = timers.schedule(limitMs, () => giveUp(`no answer within ${Math.round(limitMs / 1000)} s`));
  signal.addEventListener('abort', stop);
  try {
    if (signal.aborted) stop();
    return await Promise.race([givenUp.promise, run(controller.signal)]);
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}
