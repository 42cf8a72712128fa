/** Waits for something that others wait for too; whoever gives up stops waiting, and the work goes on. */
export async function abortable<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return await work;
  signal.throwIfAborted();
  const given = Promise.withResolvers<never>();
  const giveUp = (): void => given.reject(signal.reason as Error);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work, given.promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
