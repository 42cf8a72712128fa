import type { Timers } from '../../../base/index.ts';

/** How long somebody may wait for a line after the right to it is gone. */
const checkEveryMs = 10_000;

/** The lines, as long as the check does not throw: it is made before each, and while none comes. */
export async function* checkNowAndThen<Line>(
  lines: AsyncGenerator<Line>,
  { timers, check }: { readonly timers: Timers; readonly check: () => void },
): AsyncGenerator<Line> {
  const failed = Promise.withResolvers<never>();
  // It may fail while nobody waits.
  failed.promise.catch(() => undefined);
  let cancel = (): void => undefined;
  const watch = (): void => {
    cancel = timers.schedule(checkEveryMs, () => {
      try {
        check();
        watch();
      } catch (error) {
        failed.reject(error as Error);
      }
    });
  };
  watch();
  try {
    for (;;) {
      const next = await Promise.race([lines.next(), failed.promise]);
      if (next.done === true) return;
      check();
      yield next.value;
    }
  } finally {
    cancel();
    // Whoever reads from a cluster that says nothing is told to stop, and not waited for.
    void lines.return(undefined).catch(() => undefined);
  }
}
