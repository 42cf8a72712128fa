import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';

import {
  discardBody,
  endTogether,
  parseContentLength,
  SHORT_BYTES_MAX,
  splitTarget,
  type Carrier,
  type Exchange,
  type ReplyHeaders,
} from './exchange.ts';
import { abandonBody } from './read-body.ts';
import type { Timed } from './sweeper.ts';

const { NGHTTP2_CANCEL, NGHTTP2_FLAG_END_STREAM, NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR, HTTP2_HEADER_STATUS } = constants;

/**
 * Where a stream keeps its exchange. Node holds on to a stream until the next full collection, and with it to all that its
 * listeners know; so they know nothing, and find the exchange here until the stream closes.
 */
const EXCHANGE = Symbol('exchange');

interface CarriedStream extends ServerHttp2Stream {
  [EXCHANGE]?: Http2Exchange | undefined;
}

/** Drives the stream itself: the compatibility layer of node:http2 costs a third of the calls per second. */
export class Http2Exchange implements Exchange, Timed {
  readonly httpVersion = 2;
  readonly verb: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: ServerHttp2Stream;
  readonly bodyless: boolean;
  readonly declaredBytes: number | undefined;
  readonly #carrier: Carrier;
  #ended = false;
  #gone: (() => void) | undefined;
  #closed = false;
  #wake: (() => void) | undefined;
  #trailers: ReplyHeaders | undefined;
  deadlineMs = 0;
  previousInList: Timed | undefined;
  nextInList: Timed | undefined;

  /** `flags` are those of the frame that brought the head. */
  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, carrier: Carrier) {
    [this.path, this.query] = splitTarget(headers[':path'] ?? '');
    this.verb = headers[':method'] ?? '';
    this.headers = headers;
    this.body = stream;
    this.bodyless = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
    this.declaredBytes = parseContentLength(headers['content-length']);
    this.#carrier = carrier;
    (stream as CarriedStream)[EXCHANGE] = this;
    stream.on('error', ignore);
    stream.on('close', onStreamClose);
  }

  get remoteAddress(): string {
    return this.#carrier.remoteAddress;
  }

  get secure(): boolean {
    return this.#carrier.secure;
  }

  get started(): boolean {
    return this.body.headersSent;
  }

  get over(): boolean {
    return this.#ended || this.#dead;
  }

  /** The client has reset the stream or left; `close` may still be on its way. */
  get #dead(): boolean {
    return this.#closed || this.body.closed || this.body.destroyed;
  }

  header(name: string): string | undefined {
    // Only `set-cookie` can be a list, and no request has it.
    return this.headers[name] as string | undefined;
  }

  serve(): void {
    this.#carrier.serve();
  }

  onGone(listener: () => void): void {
    if (this.#closed) listener();
    else this.#gone = listener;
  }

  invite(): void {
    if (this.header('expect') === '100-continue' && !this.#dead && !this.started)
      this.body.additionalHeaders({ [HTTP2_HEADER_STATUS]: 100 });
  }

  reply(status: number, headers: ReplyHeaders, body: Uint8Array | string = ''): void {
    if (this.#dead) return;
    this.#ended = true;
    const stream = this.body;
    headers[HTTP2_HEADER_STATUS] = status;
    if (body.length === 0 || this.verb === 'HEAD') {
      stream.respond(headers, { endStream: true });
    } else {
      headers['content-length'] = Buffer.byteLength(body);
      stream.respond(headers);
      stream.end(body);
    }
    this.#leave(body.length);
  }

  start(status: number, headers: ReplyHeaders, withTrailers = false): void {
    if (this.#dead) return;
    headers[HTTP2_HEADER_STATUS] = status;
    this.body.respond(headers, { waitForTrailers: withTrailers });
    if (withTrailers) this.body.on('wantTrailers', onWantTrailers);
  }

  write(chunk: Uint8Array | string): boolean {
    return this.#dead || this.body.write(chunk);
  }

  drained(): Promise<void> {
    if (this.#dead || !this.body.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.body.once('drain', resolve);
    });
  }

  end(trailers?: ReplyHeaders, ...chunks: readonly Uint8Array[]): void {
    if (this.over) return;
    this.#ended = true;
    this.#trailers = trailers;
    endTogether(this.body, chunks);
    this.#leave(this.body.writableLength);
  }

  destroy(): void {
    if (!this.#closed) this.body.close(NGHTTP2_INTERNAL_ERROR);
  }

  sendTrailers(): void {
    if (!this.#dead) this.body.sendTrailers(this.#trailers ?? {});
  }

  /** The client did not read the answer. */
  expire(): void {
    if (!this.#closed) this.body.close(NGHTTP2_CANCEL);
  }

  #leave(sizeBytes: number): void {
    const stream = this.body;
    const { sweeper, slowReaderTimeoutMs } = this.#carrier;
    if (sizeBytes < SHORT_BYTES_MAX) {
      this.deadlineMs = sweeper.nowMs + slowReaderTimeoutMs;
      sweeper.add(this);
    } else {
      stream.setTimeout(slowReaderTimeoutMs, () => this.expire());
    }
    // A stream closes by itself only when what the client sent was read to its end.
    if (this.bodyless || stream.readableEnded) return;
    discardBody(stream, this.#carrier.lingerMs, () => {
      if (!this.#closed && !stream.readableEnded) stream.close(NGHTTP2_NO_ERROR);
    });
  }

  /** The stream is closed, by whomever. */
  leave(): void {
    (this.body as CarriedStream)[EXCHANGE] = undefined;
    const wasReset = this.body.rstCode !== NGHTTP2_NO_ERROR;
    const complete = this.#ended && !wasReset;
    this.#closed = true;
    this.#carrier.sweeper.delete(this);
    this.#carrier.release(wasReset);
    abandonBody(this.body);
    this.#wake?.();
    if (!complete) this.#gone?.();
  }
}

function onStreamClose(this: CarriedStream): void {
  this[EXCHANGE]?.leave();
}

function onWantTrailers(this: CarriedStream): void {
  this[EXCHANGE]?.sendTrailers();
}

/** Errors of the stream are followed by `close`, which is where they are dealt with. */
function ignore(): void {}
