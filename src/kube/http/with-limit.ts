/** A signal that ends when the caller's does or when the time is over, whichever comes first. */
export interface Limited {
  readonly signal: AbortSignal;
  /** Ends the time limit; the caller's signal still counts. */
  stopTimer(): void;
  abort(reason: Error): void;
  dispose(): void;
}

/** `makeError` is called when the time is over, and is what the signal then gives as its reason. */
export function withLimit(caller: AbortSignal | undefined, limitMs: number, makeError: () => Error): Limited {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(caller?.reason);
  const timer = setTimeout(() => controller.abort(makeError()), limitMs);
  timer.unref();
  if (caller?.aborted) onAbort();
  else caller?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    stopTimer: () => clearTimeout(timer),
    abort: (reason) => controller.abort(reason),
    dispose: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}
