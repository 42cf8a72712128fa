import { useEffect, useRef } from 'react';
import { CallError, callCodes, isUnauthenticated } from './call-error.ts';
import { reportWatch } from './connection.ts';
import type { StreamOptions } from './create-api.ts';
import { createBackOff } from './create-back-off.ts';
import { session } from './session.ts';

/** The first event after a quiet while is handed over at once; in a storm they are handed over together, a few times a second. */
const GATHER_MS = 150;
/** What comes with the first one comes within this. */
const TOGETHER_MS = 5;
/** A tab that nobody looks at gives its connection back: browsers allow few to one server. */
const HIDDEN_MS_MAX = 60_000;
/** Until what was refused is asked for again: rights change, names come back, and it may have been a gateway that found no server. */
const REFUSED_MS = 30_000;
/** Until somebody looks again. */
const PUT_AWAY_MS = 24 * 60 * 60 * 1000;

export interface WatchOptions<Event> {
  /** Opens the stream, for example `(options) => api.ApplicationService.Watch({ name }, options)`. */
  readonly open: (options: StreamOptions) => AsyncIterable<Event>;
  readonly onEvents: (events: readonly Event[]) => void;
  /** The stream is open, for the first time or again: read what may have been missed, and nothing is missed from now on. */
  readonly onOpen?: (isAgain: boolean) => void;
  readonly enabled?: boolean;
}

/** Follows a stream for as long as the component lives; opens it again, with growing pauses, when it breaks. `key` names what is watched. */
export function useWatch<Event>(key: string, options: WatchOptions<Event>): void {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const isEnabled = options.enabled !== false;
  useEffect(() => {
    if (!isEnabled) return;
    const stop = followStream<Event>(() => latest.current);
    return stop;
  }, [key, isEnabled]);
}

/** Runs until the returned function is called. */
function followStream<Event>(latest: () => WatchOptions<Event>): () => void {
  const name = {};
  const over = new AbortController();
  let attempt: AbortController | undefined;
  let hiddenTimer: number | undefined;
  let wake: (() => void) | undefined;

  const onVisibility = (): void => {
    window.clearTimeout(hiddenTimer);
    if (document.hidden) hiddenTimer = window.setTimeout(() => attempt?.abort(), HIDDEN_MS_MAX);
    else wake?.();
  };
  document.addEventListener('visibilitychange', onVisibility);
  window.addEventListener('online', onVisibility);

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = window.setTimeout(resolve, ms);
      wake = () => {
        window.clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    const backOff = createBackOff();
    let isAgain = false;
    while (!over.signal.aborted) {
      attempt = new AbortController();
      const signal = AbortSignal.any([over.signal, attempt.signal]);
      try {
        await readEvents(latest, signal, () => {
          backOff.opened(performance.now());
          reportWatch(name, false);
          latest().onOpen?.(isAgain);
          isAgain = true;
        });
      } catch (error) {
        if (isUnauthenticated(error) && session.get() === 'ended') {
          reportWatch(name, false);
          await untilKnown(over.signal);
          continue;
        }
        if (isRefusal(error) && !over.signal.aborted) {
          reportWatch(name, false);
          // What changes until then is not told of.
          isAgain = true;
          await pause(document.hidden ? PUT_AWAY_MS : REFUSED_MS * (0.75 + Math.random() / 2));
          continue;
        }
      }
      if (over.signal.aborted) return;
      // Hidden: not lost, only put away until somebody looks.
      if (!document.hidden) reportWatch(name, true);
      const waitMs = backOff.nextMs(performance.now());
      await pause(document.hidden ? PUT_AWAY_MS : waitMs * (0.75 + Math.random() / 2));
    }
  };
  void run();

  return () => {
    over.abort();
    wake?.();
    window.clearTimeout(hiddenTimer);
    document.removeEventListener('visibilitychange', onVisibility);
    window.removeEventListener('online', onVisibility);
    reportWatch(name, false);
  };
}

async function readEvents<Event>(latest: () => WatchOptions<Event>, signal: AbortSignal, onOpen: () => void): Promise<void> {
  let gathered: Event[] = [];
  let timer: number | undefined;
  let flushedAt = -Infinity;
  const flush = (): void => {
    timer = undefined;
    flushedAt = performance.now();
    const events = gathered;
    gathered = [];
    if (!signal.aborted && events.length > 0) latest().onEvents(events);
  };
  try {
    for await (const event of latest().open({ signal, onOpen })) {
      gathered.push(event);
      timer ??= window.setTimeout(flush, Math.max(TOGETHER_MS, flushedAt + GATHER_MS - performance.now()));
    }
  } finally {
    window.clearTimeout(timer);
    flush();
  }
}

/** Resolves when somebody has signed in again, or when nobody waits any more. */
function untilKnown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (session.get() === 'ended' && !signal.aborted) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = session.subscribe(look);
    signal.addEventListener('abort', look, { once: true });
  });
}

/** What asking again at once would not change. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof CallError)) return false;
  const final: readonly number[] = [callCodes.permissionDenied, callCodes.notFound, callCodes.invalidArgument];
  return isUnauthenticated(error) || final.includes(error.code);
}
