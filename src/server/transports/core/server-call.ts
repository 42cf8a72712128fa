import type { Caller } from '../../../access/index.ts';
import { ApiError, Code } from '../../../base/index.ts';
import type { MethodSchema } from '../../../contract/index.ts';
import type { Call, Transport } from '../../call.ts';
import type { CallLabels } from '../../hooks.ts';
import type { Core } from './core.ts';
import type { Exchange } from './exchange.ts';
import type { Linked } from './linked-list.ts';
import type { Method } from './method-table.ts';

export interface ServerCallOptions {
  readonly method: Method;
  readonly transport: Transport;
  readonly token: string | undefined;
  /** The time that the client gives, if any. */
  readonly timeoutMs: number | undefined;
}

/** One call in progress: what its handler sees of it, and what can end it early. */
export class ServerCall implements Call, Linked<ServerCall> {
  readonly method: MethodSchema;
  readonly transport: Transport;
  readonly caller: Caller | undefined;
  readonly token: string | undefined;
  /** Response metadata, by lower-case name. */
  replyHeaders: [name: string, value: string][] | undefined;
  cookies: string[] | undefined;
  readonly #core: Core;
  readonly #exchange: Exchange;
  readonly #labels: CallLabels;
  readonly #startMs = performance.now();
  /** None where the client's own is kept, and for a stream. */
  readonly deadlineMs: number;
  readonly #timer: NodeJS.Timeout | undefined;
  previousInList: ServerCall | undefined;
  nextInList: ServerCall | undefined;
  #controller: AbortController | undefined;
  #reason: ApiError | undefined;
  #reject: ((reason: ApiError) => void) | undefined;
  /** Who answers the call, while nothing else hears of its early end. */
  answerer: { fail(reason: ApiError): void } | undefined;

  constructor(core: Core, exchange: Exchange, options: ServerCallOptions, caller: Caller | undefined) {
    this.method = options.method.schema;
    this.transport = options.transport;
    this.caller = caller;
    this.#labels = options.method.labels[options.transport];
    this.token = options.token;
    this.#core = core;
    this.#exchange = exchange;
    const isBounded = options.timeoutMs === undefined && !this.method.serverStreaming;
    this.deadlineMs = isBounded ? core.sweeper.nowMs + core.limits.callTimeoutMs : Infinity;
    core.calls.add(this);
    // A client's own deadline is kept exactly; ours need not be, and costs no timer.
    if (options.timeoutMs !== undefined) this.#timer = setTimeout(() => this.expire(), options.timeoutMs).unref();
    exchange.onGone(() => this.abort(new ApiError(Code.Canceled, 'the client went away')));
    core.hooks.onCallStarted(this.#labels);
  }

  /** Made only for handlers that look at it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  get secure(): boolean {
    return this.#exchange.secure;
  }

  get remoteAddress(): string {
    return this.#exchange.remoteAddress;
  }

  setHeader(name: string, value: string): void {
    // A header that HTTP cannot carry would break the whole answer.
    if (!/^[a-z0-9_.-]+$/i.test(name) || !/^[\x20-\x7e]*$/.test(value)) throw new TypeError('a response header must be printable ASCII');
    (this.replyHeaders ??= []).push([name.toLowerCase(), value]);
  }

  setCookie(cookie: string): void {
    if (!/^[\x20-\x7e]*$/.test(cookie)) throw new TypeError('a cookie must be printable ASCII');
    (this.cookies ??= []).push(cookie);
  }

  /** Ends the call early. Its handler hears of it through the signal, whoever waits for it through `settle`. */
  abort(reason: ApiError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#reject?.(reason);
    this.answerer?.fail(reason);
  }

  expire(): void {
    this.abort(new ApiError(Code.DeadlineExceeded, 'the deadline passed before the call was complete'));
  }

  /** Settles like `work`, or rejects as soon as the call is aborted, whether `work` listens to its signal or not. */
  settle<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      work.then(resolve, reject);
      if (this.#reason !== undefined) reject(this.#reason);
    });
  }

  finish(code: Code): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#reject = undefined;
    this.answerer = undefined;
    this.#core.calls.delete(this);
    this.#core.hooks.onCallFinished(this.#labels, { code, durationMs: performance.now() - this.#startMs });
  }
}
