import { Code, type ApiError } from '../../../base/index.ts';
import type { Core } from './core.ts';
import type { Exchange } from './exchange.ts';
import { toApiError } from './failure.ts';
import { notImplemented, type ClientStream, type Method, type MethodHandler } from './method-table.ts';
import { openCall, type OpenCallOptions } from './open-call.ts';
import type { BodyRules, BodyRulesByCaller, BodySink } from './read-body.ts';
import type { ServerCall } from './server-call.ts';

type SingleHandler = Exclude<MethodHandler, { readonly kind: 'client-stream' }>;

/**
 * One call from its head to its answer: opened, read, handled, answered. What the transports do each in their own way they
 * override. It goes on by callbacks rather than promises, because a small call is over before it has waited for anything, and
 * promises would then be most of what it costs. Whatever goes wrong becomes the answer.
 */
export abstract class Turn implements BodySink {
  protected readonly core: Core;
  protected readonly exchange: Exchange;
  #call: ServerCall | undefined;
  #method: Method | undefined;
  #isOver = false;

  constructor(core: Core, exchange: Exchange) {
    this.core = core;
    this.exchange = exchange;
  }

  /** The call, once it is open. */
  protected get call(): ServerCall {
    return this.#call!;
  }

  protected get method(): Method {
    return this.#method!;
  }

  /** What the head says of the call; undefined when it was refused and answered already. May throw. */
  protected abstract identify(): OpenCallOptions | undefined;
  /** Reads the one request message, and calls `take` with it. */
  protected abstract readRequest(): void;
  protected abstract readRequests(handler: ClientStream): Promise<object>;
  protected abstract sendUnary(value: object): Promise<void> | void;
  protected abstract sendStream(messages: AsyncIterable<object>): Promise<void>;
  /** `call` is undefined when it was never opened. */
  protected abstract sendFailure(failure: ApiError, call: ServerCall | undefined): void;
  abstract push(chunk: Buffer): void;
  abstract end(): Promise<unknown> | void;

  run(): void {
    try {
      const options = this.identify();
      if (options === undefined) return;
      this.#method = options.method;
      const opened = openCall(this.core, this.exchange, options);
      if (opened instanceof Promise) this.#attend(opened.then((call) => this.#begin(call)));
      else this.#begin(opened);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends the call with an error, unless it is over. */
  fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const failure = toApiError(this.core, this.exchange, error);
    try {
      if (!this.exchange.over) this.sendFailure(failure, this.#call);
    } catch (cause) {
      // A fault of the transport itself costs this request only.
      this.core.log.error('a transport failed', { path: this.exchange.path, error: cause });
      this.exchange.destroy();
    }
    this.#call?.finish(failure.code);
  }

  /** To be called with the request message: runs the handler and answers. */
  protected take(request: object): void {
    if (this.#isOver) return;
    const handler = this.method.handler as SingleHandler;
    this.exchange.serve();
    if (handler.kind === 'unary') return this.#settle(handler.handle(request, this.call));
    this.#stream(this.sendStream(handler.handle(request, this.call)));
  }

  /** What applies to the body of this call. */
  protected chooseRules(rules: BodyRulesByCaller): BodyRules {
    return this.call.caller === undefined ? rules.anonymous : rules.signedIn;
  }

  #begin(call: ServerCall): void {
    this.#call = call;
    call.answerer = this;
    const { handler } = this.method;
    if (handler === undefined) throw notImplemented(this.method);
    if (handler.kind !== 'client-stream') return this.readRequest();
    this.#settle(this.readRequests(handler));
  }

  #settle(work: Promise<object> | object): void {
    if (!(work instanceof Promise)) return this.#answer(work);
    work.then(
      (value) => this.#answer(value),
      (error: unknown) => this.fail(error),
    );
  }

  #answer(value: object): void {
    if (this.#isOver) return;
    // From here on the answer is on its way, and an early end of the call changes nothing.
    this.call.answerer = undefined;
    try {
      const sent = this.exchange.over ? undefined : this.sendUnary(value);
      if (sent === undefined) this.#finish();
      else this.#attend(sent.then(() => this.#finish()));
    } catch (error) {
      this.fail(error);
    }
  }

  /** The stream hears of an early end itself, between two messages. */
  #stream(sent: Promise<void>): void {
    this.call.answerer = undefined;
    this.#attend(sent.then(() => this.#finish()));
  }

  #attend(work: Promise<void>): void {
    work.catch((error: unknown) => this.fail(error));
  }

  #finish(): void {
    this.#isOver = true;
    this.call.finish(Code.OK);
  }
}
