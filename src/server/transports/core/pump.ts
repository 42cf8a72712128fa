import { ApiError, Code } from '../../../base/index.ts';
import type { Core } from './core.ts';
import type { Exchange } from './exchange.ts';
import type { ServerCall } from './server-call.ts';
import type { Timed } from './sweeper.ts';

/**
 * Sends each message of a stream, no faster than the client reads: the next one is taken from the handler only when
 * the last one has left. Always lets the handler's iterator clean up, without waiting for it.
 */
export async function pump(
  core: Core,
  exchange: Exchange,
  call: ServerCall,
  messages: AsyncIterable<object>,
  send: (message: object) => boolean | Promise<boolean>,
): Promise<void> {
  const iterator = messages[Symbol.asyncIterator]();
  try {
    for (;;) {
      const result: IteratorResult<object, unknown> = await call.settle(iterator.next());
      if (result.done === true) return;
      if (!(await send(result.value))) await call.settle(waitForReader(core, exchange));
    }
  } catch (error) {
    iterator.return?.()?.then(undefined, (cause: unknown) => core.log.warn('a stream failed to clean up', { error: cause }));
    throw error;
  }
}

/** Waits until the client has read what was sent; gives up on one that reads nothing. */
export async function waitForReader(core: Core, exchange: Exchange): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timed: Timed = {
    previousInList: undefined,
    nextInList: undefined,
    deadlineMs: core.sweeper.nowMs + core.limits.slowReaderTimeoutMs,
    expire: () => reject(new ApiError(Code.Aborted, 'the client reads too slowly, please start the stream again')),
  };
  core.sweeper.add(timed);
  try {
    await Promise.race([exchange.drained(), promise]);
  } finally {
    core.sweeper.delete(timed);
  }
}
