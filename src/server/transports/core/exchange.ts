import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { Sweeper } from './sweeper.ts';

/**
 * Answers below this size leave in one piece: node sends them fastest so, and either they were read or they were not.
 * With larger ones it must be seen whether the client goes on reading.
 */
export const SHORT_BYTES_MAX = 16_384;

/** Headers of an answer: lower-case names. */
export type ReplyHeaders = OutgoingHttpHeaders;

/** The connection that carries an exchange, and learns what becomes of it. One for all exchanges of a connection. */
export interface Carrier {
  /** The request is worth serving: its connection is no longer among the first to be closed when room is short. */
  serve(): void;
  /** An exchange is over; `wasReset`: an HTTP/2 stream was reset before its natural end. */
  release(wasReset: boolean): void;
  readonly lingerMs: number;
  /** A client that reads nothing of a complete answer for this long is cut off. */
  readonly slowReaderTimeoutMs: number;
  readonly sweeper: Sweeper;
  readonly remoteAddress: string;
  readonly secure: boolean;
  /** True while the server shuts down: the connection takes nothing more after this exchange. */
  readonly closing: boolean;
}

/**
 * One request and its answer, the same over HTTP/1.1 and HTTP/2.
 * Exactly one of these answers it: `reply`; or `start`, any number of `write`, and `end`.
 */
export interface Exchange {
  readonly httpVersion: 1 | 2;
  readonly verb: string;
  /** As sent, still percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  /** Lower-case names; repeated headers joined. Made when first asked for over HTTP/1.1: for a few of them `header` is cheaper. */
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  readonly secure: boolean;
  readonly body: Readable;
  /** The request ended with its head. */
  readonly bodyless: boolean;
  /** What `content-length` says. */
  readonly declaredBytes: number | undefined;
  /** The answer has begun. */
  readonly started: boolean;
  /** The answer is complete, or the client is gone. */
  readonly over: boolean;

  /** One header of the request, by its lower-case name. */
  header(name: string): string | undefined;
  /** See Carrier. */
  serve(): void;
  /** Called once when the client goes away before the answer is complete; at once if it is already gone. */
  onGone(listener: () => void): void;
  /** Tells a client that waits for it (`expect: 100-continue`) to send the body. */
  invite(): void;
  /** The whole answer at once. */
  reply(status: number, headers: ReplyHeaders, body?: Uint8Array | string): void;
  /** `withTrailers`: `end` will bring trailers, so HTTP/2 keeps the stream open for them. */
  start(status: number, headers: ReplyHeaders, withTrailers?: boolean): void;
  /** Returns false when the client reads slower than we write: wait for `drained` before the next piece. */
  write(chunk: Uint8Array | string): boolean;
  /** Resolves when there is room again, or the exchange is over. */
  drained(): Promise<void>;
  /** Ends the answer, after its last pieces if there are any, which leave together. HTTP/1.1 drops the trailers. */
  end(trailers?: ReplyHeaders, ...chunks: readonly Uint8Array[]): void;
  /** Cuts the exchange off, so that the client knows that the answer is not complete. */
  destroy(): void;
}

/** Splits a request target at its first question mark. */
export function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

export function parseContentLength(header: string | undefined): number | undefined {
  if (header === undefined || header.length === 0 || header.length > 15) return undefined;
  let length = 0;
  for (let index = 0; index < header.length; index++) {
    const digit = header.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return undefined;
    length = length * 10 + digit;
  }
  return length;
}

/** Ends a stream after its last pieces, which leave in one write. */
export function endTogether(stream: Pick<Writable, 'cork' | 'write' | 'end'>, chunks: readonly Uint8Array[]): void {
  if (chunks.length > 1) {
    stream.cork();
    for (const chunk of chunks.slice(0, -1)) stream.write(chunk);
  }
  // That uncorks it, too.
  stream.end(chunks.at(-1));
}

/** More than a client has on the way when it is told to stop. */
const DISCARD_BYTES_MAX = 8_388_608;

/**
 * Reads and throws away what is left of a request body, so that the client can finish sending and read the answer,
 * but not for longer than `timeoutMs` and not without end. Then calls `done`.
 */
export function discardBody(body: Readable, timeoutMs: number, done: () => void): void {
  let left = DISCARD_BYTES_MAX;
  const discard = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) body.pause();
  };
  const finish = (): void => {
    clearTimeout(timer);
    body.off('data', discard).off('end', finish).off('close', finish);
    done();
  };
  const timer = setTimeout(finish, timeoutMs);
  timer.unref();
  body.on('data', discard).on('end', finish).on('close', finish);
  body.resume();
}
