import type { Logger } from '../base/index.ts';
import type { ServerMetrics } from '../server/index.ts';

/**
 * Keeps the process alive when something throws where nothing catches it: that is a bug, to be seen in the log and the
 * metrics, and no reason to drop everyone else's requests. Before `isReady`, it ends the start instead.
 */
export function guardProcess(options: { readonly log: Logger; readonly metrics: ServerMetrics; readonly isReady: () => boolean }): void {
  const { log, metrics, isReady } = options;
  const report = (kind: 'exception' | 'rejection') => (error: unknown) => {
    metrics.countUncaughtError(kind);
    log.error('uncaught error', { kind, error });
    if (!isReady()) process.exit(1);
  };
  process.on('uncaughtException', report('exception'));
  process.on('unhandledRejection', report('rejection'));
}

/** Stops once, gently, on the first signal, and at once on the second. The process ends either way. */
export function stopOnSignals(log: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(exitCode);
      stopping = true;
      log.info('stopping', { signal });
      stop().then(
        () => {
          log.info('stopped');
          process.exit(0);
        },
        (error: unknown) => {
          log.error('could not stop in order', { error });
          process.exit(1);
        },
      );
    });
  }
}
