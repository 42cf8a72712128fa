import type { Timers } from '../../base/index.ts';
import type { WatchEvent } from '../kube-api.ts';
import { ReflectorFailure } from './trouble.ts';

export interface WatchEventsOptions {
  readonly open: (signal: AbortSignal) => AsyncIterable<WatchEvent>;
  /** Silence of this length is a failure. Time that the reader takes does not count. */
  readonly stallMs: number;
  readonly timers: Timers;
  /** Ends the events; nothing is thrown. */
  readonly signal: AbortSignal;
}

/** The events of one watch, which is given up when it falls silent: a connection can be dead without anybody saying so. */
export async function* watchEvents({ open, stallMs, timers, signal }: WatchEventsOptions): AsyncGenerator<WatchEvent, void, void> {
  if (signal.aborted) return;
  const controller = new AbortController();
  let waitingSinceMs: number | undefined;
  // Set anew for each event. One promise for all of them to race against would remember every race.
  let settle: ((error?: Error) => void) | undefined;
  const give = (error?: Error): void => {
    settle?.(error);
    controller.abort();
  };
  const stop = (): void => give();
  const check = (): void => {
    const silentMs = waitingSinceMs === undefined ? 0 : timers.nowMs() - waitingSinceMs;
    if (silentMs >= stallMs) give(new ReflectorFailure('stalled', `the watch was silent for ${Math.round(stallMs / 1000)} s`));
    else cancel = timers.schedule(stallMs - silentMs, check);
  };
  let cancel = timers.schedule(stallMs, check);
  signal.addEventListener('abort', stop);
  const iterator = open(controller.signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      waitingSinceMs = timers.nowMs();
      const next = await new Promise<IteratorResult<WatchEvent>>((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve({ done: true, value: undefined }) : reject(error));
        iterator.next().then(resolve, reject);
      });
      waitingSinceMs = undefined;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
    controller.abort();
    // A stream that was given up may never answer: it is told to end, and nobody waits for it.
    iterator.return?.().catch(() => undefined);
  }
}
