import type { Core } from './core.ts';
import type { Exchange, ReplyHeaders } from './exchange.ts';
import { toApiError } from './failure.ts';
import { waitForReader } from './pump.ts';

export interface Pieces {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** Called when the pieces are no longer wanted. */
  readonly abort: () => void;
}

/**
 * Sends a body piece by piece, no faster than the client reads, until it ends, the client leaves or the server shuts down. A client
 * is cut off where the body cannot be completed, so that it does not take a part for the whole. Never rejects.
 */
export async function sendPieces(core: Core, exchange: Exchange, { status, headers, pieces, abort }: Pieces): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  let isStopped = false;
  let wake: (() => void) | undefined;
  const stop = (): void => {
    isStopped = true;
    abort();
    wake?.();
  };
  // Not a race with one promise for the whole stream: that would remember every piece until the stream ends.
  const unlessStopped = <Value>(work: Promise<Value>): Promise<Value | undefined> =>
    new Promise((resolve, reject) => {
      wake = () => resolve(undefined);
      work.then(resolve, reject);
    });
  exchange.onGone(stop);
  const forget = core.calls.onDrain(stop);
  try {
    if (exchange.over) return;
    exchange.start(status, headers);
    while (!isStopped && exchange.verb !== 'HEAD') {
      const result = await unlessStopped(iterator.next());
      if (result === undefined || result.done === true) break;
      if (!exchange.write(result.value)) await unlessStopped(waitForReader(core, exchange));
    }
    exchange.end();
  } catch (error) {
    toApiError(core, exchange, error);
    exchange.destroy();
  } finally {
    forget();
    // Not awaited: a producer that hangs must not hold what is over.
    iterator.return?.()?.then(undefined, (error: unknown) => core.log.warn('a stream failed to clean up', { error }));
  }
}
