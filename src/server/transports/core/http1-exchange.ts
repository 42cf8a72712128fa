import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

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

export interface Http1ExchangeOptions {
  readonly carrier: Carrier;
  /** The client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean;
}

/** Where an answer keeps its exchange, so that one listener serves all. */
const EXCHANGE = Symbol('exchange');

interface CarriedResponse extends ServerResponse {
  [EXCHANGE]?: Http1Exchange;
}

export class Http1Exchange implements Exchange, Timed {
  readonly httpVersion = 1;
  readonly verb: string;
  readonly path: string;
  readonly query: string;
  readonly body: IncomingMessage;
  readonly bodyless: boolean;
  readonly declaredBytes: number | undefined;
  readonly #response: ServerResponse;
  readonly #carrier: Carrier;
  #uninvited: boolean;
  #gone: (() => void) | undefined;
  #closed = false;
  #wake: (() => void) | undefined;
  #timesSocket = false;
  deadlineMs = 0;
  previousInList: Timed | undefined;
  nextInList: Timed | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, options: Http1ExchangeOptions) {
    [this.path, this.query] = splitTarget(request.url ?? '');
    this.verb = request.method ?? '';
    this.body = request;
    this.declaredBytes = parseContentLength(this.header('content-length'));
    this.bodyless = (this.declaredBytes ?? 0) === 0 && this.header('transfer-encoding') === undefined;
    this.#response = response;
    this.#carrier = options.carrier;
    this.#uninvited = options.expectsContinue;
    // The request keeps its errors to itself as long as nobody listens to them.
    response.on('error', ignore);
    (response as CarriedResponse)[EXCHANGE] = this;
    response.on('close', onResponseClose);
  }

  get headers(): IncomingHttpHeaders {
    return this.body.headers;
  }

  get remoteAddress(): string {
    return this.#carrier.remoteAddress;
  }

  get secure(): boolean {
    return this.#carrier.secure;
  }

  get started(): boolean {
    return this.#response.headersSent;
  }

  get over(): boolean {
    return this.#closed || this.#response.writableEnded;
  }

  header(name: string): string | undefined {
    const raw = this.body.rawHeaders;
    let found: string | undefined;
    for (let index = 0; index < raw.length; index += 2) {
      const other = raw[index]!;
      if (other.length !== name.length || (other !== name && other.toLowerCase() !== name)) continue;
      // Whether repeated headers are joined or the first one counts depends on the name: node knows.
      if (found !== undefined) return this.headers[name] as string | undefined;
      found = raw[index + 1];
    }
    return found;
  }

  serve(): void {
    this.#carrier.serve();
  }

  onGone(listener: () => void): void {
    if (this.#closed) listener();
    else this.#gone = listener;
  }

  invite(): void {
    if (!this.#uninvited) return;
    this.#uninvited = false;
    this.#response.writeContinue();
  }

  reply(status: number, headers: ReplyHeaders, body: Uint8Array | string = ''): void {
    if (this.#closed) return;
    const response = this.#response;
    const sizeBytes = Buffer.byteLength(body);
    if (status !== 304 && status !== 204) headers['content-length'] = sizeBytes;
    if (this.body.complete || this.bodyless) {
      this.#writeHead(status, headers, this.#carrier.closing);
      if (this.verb === 'HEAD') response.end();
      // As text, because node then sends head and body in one write.
      else if (typeof body !== 'string' && body.length < SHORT_BYTES_MAX)
        response.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1');
      // Nearly all JSON is plain ASCII, which costs less to send when it is named so.
      else if (typeof body === 'string' && sizeBytes === body.length) response.end(body, 'latin1');
      else response.end(body);
      this.#expectDelivery(sizeBytes);
      return;
    }
    // The client may still be sending. Closing now would reset the connection before it has read the answer, which
    // is complete for the client as soon as its declared length is there.
    this.#writeHead(status, headers, true);
    if (this.verb !== 'HEAD') response.write(body);
    discardBody(this.body, this.#uninvited ? 0 : this.#carrier.lingerMs, () => response.end());
  }

  start(status: number, headers: ReplyHeaders): void {
    if (this.#closed) return;
    this.#writeHead(status, headers, this.#carrier.closing);
    this.#response.flushHeaders();
  }

  write(chunk: Uint8Array | string): boolean {
    return this.#closed || this.#response.write(chunk);
  }

  drained(): Promise<void> {
    if (this.#closed || !this.#response.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#response.once('drain', resolve);
    });
  }

  end(_trailers?: ReplyHeaders, ...chunks: readonly Uint8Array[]): void {
    if (this.#closed) return;
    endTogether(this.#response, chunks);
    this.#expectDelivery(this.#response.writableLength);
  }

  destroy(): void {
    this.body.destroy();
    this.#response.destroy();
  }

  /** The client did not read the answer. */
  expire(): void {
    this.destroy();
  }

  #expectDelivery(sizeBytes: number): void {
    const { sweeper, slowReaderTimeoutMs } = this.#carrier;
    // The usual case: all of it is with the operating system already.
    if (this.body.socket.writableLength === 0) return;
    if (sizeBytes < SHORT_BYTES_MAX) {
      this.deadlineMs = sweeper.nowMs + slowReaderTimeoutMs;
      sweeper.add(this);
    } else {
      this.#timesSocket = true;
      this.#response.setTimeout(slowReaderTimeoutMs, () => this.destroy());
    }
  }

  #writeHead(status: number, headers: ReplyHeaders, close: boolean): void {
    if (close) headers['connection'] = 'close';
    this.#response.writeHead(status, headers);
  }

  /** The answer is complete, or the connection is gone. */
  leave(): void {
    const complete = this.#response.writableFinished;
    this.#closed = true;
    this.#carrier.sweeper.delete(this);
    // The socket goes on to the next request, to which this does not apply.
    if (this.#timesSocket) this.body.socket.setTimeout(0);
    this.#carrier.release(false);
    abandonBody(this.body);
    this.#wake?.();
    if (!complete) this.#gone?.();
  }
}

function onResponseClose(this: CarriedResponse): void {
  this[EXCHANGE]?.leave();
}

/** An error of the answer is followed by `close`, which is where they are dealt with. */
function ignore(): void {}
