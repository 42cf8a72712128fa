import { ApiError, Code, type Timers } from '../base/index.ts';

/**
 * Runs a request with a limit on its time, and gives it up when `signal` is aborted, whether or not it listens. What is given up fails
 * with an ApiError, which is also the reason of the signal that the request gets: it may learn from a time that was too short.
 */
export async function withLimit<Result>(
  { timers, limitMs, signal }: { readonly timers: Timers; readonly limitMs: number; readonly signal?: AbortSignal },
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const givenUp = Promise.withResolvers<never>();
  const giveUp = (error: ApiError): void => {
    givenUp.reject(error);
    controller.abort(error);
  };
  const stop = (): void => giveUp(new ApiError(Code.Canceled, 'stopped'));
  const late = (): void => giveUp(new ApiError(Code.DeadlineExceeded, `no answer within ${Math.round(limitMs / 100) / 10} s`));
  const cancel = timers.schedule(limitMs, late);
  signal?.addEventListener('abort', stop);
  try {
    if (signal?.aborted === true) stop();
    return await Promise.race([givenUp.promise, run(controller.signal)]);
  } finally {
    cancel();
    signal?.removeEventListener('abort', stop);
  }
}
