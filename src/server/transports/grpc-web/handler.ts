import { ApiError, Code } from '../../../base/index.ts';
import { openFrame } from '../grpc/read-messages.ts';

import { checkClientVersion } from '../core/client-version.ts';
import type { Core } from '../core/core.ts';
import { encodeProtobuf } from '../core/encode-reply.ts';
import type { Exchange, ReplyHeaders } from '../core/exchange.ts';
import {
  encodeFrame,
  FLAG_TRAILERS,
  FrameReader,
  readWholeFrame,
  truncatedMessage,
  wrongMessageCount,
  type Frame,
} from '../core/framing.ts';
import { statusHeaders, withMetadata } from '../core/grpc-status.ts';
import { parseGrpcTimeout } from '../core/grpc-timeout.ts';
import { unknownMethod, type ClientStream, type Method } from '../core/method-table.ts';
import type { OpenCallOptions } from '../core/open-call.ts';
import { pump } from '../core/pump.ts';
import { BodyBytes, readBody, readWholeBody, type BodyRules } from '../core/read-body.ts';
import { apiHeaders } from '../core/security-headers.ts';
import type { ServerCall } from '../core/server-call.ts';
import { findToken } from '../core/token.ts';
import { Turn } from '../core/turn.ts';
import type { WebForm } from './content-type.ts';
import { trailerFrame } from './trailer-status.ts';

/** Answers one gRPC-Web call. */
export function handleGrpcWeb(core: Core, exchange: Exchange, form: WebForm): void {
  new GrpcWebTurn(core, exchange, form).run();
}

/** The body of a gRPC-Web call is complete before its method runs, also where the method takes a stream. */
class GrpcWebTurn extends Turn {
  readonly #form: WebForm;
  #bytes: BodyBytes | undefined;

  constructor(core: Core, exchange: Exchange, form: WebForm) {
    super(core, exchange);
    this.#form = form;
  }

  protected identify(): OpenCallOptions {
    const { core, exchange } = this;
    const method = findMethod(core, exchange.path);
    checkClientVersion(exchange.header('user-agent'));
    const timeoutMs = parseGrpcTimeout(exchange.header('grpc-timeout'));
    return { method, transport: 'grpc-web', token: findToken(exchange), timeoutMs };
  }

  protected readRequest(): void {
    const rules = this.chooseRules(this.core.messageRules);
    this.#bytes = new BodyBytes(this.exchange, rules.sizeBytesMax);
    readBody(this.core, this.exchange, rules, this);
  }

  push(chunk: Buffer): void {
    this.#bytes!.push(chunk);
  }

  end(): Promise<void> | void {
    const { input } = this.method;
    const rules = this.chooseRules(this.core.messageRules);
    const bytes = this.#bytes!.join();
    const single = this.#form.isText ? undefined : readWholeFrame(bytes, rules.sizeBytesMax);
    if (single?.flags === 0) return this.take(input.decode(single.payload));
    const frames = splitFrames(this.method, this.#form.isText ? decodeText(bytes) : bytes, rules.sizeBytesMax);
    return openRequests(this.exchange, this.method, frames, rules)
      .then((requests) => this.take(singleRequest(requests)))
      .catch((error: unknown) => this.fail(error));
  }

  protected async readRequests(handler: ClientStream): Promise<object> {
    const { core, exchange, method } = this;
    const rules = this.chooseRules(core.messageRules);
    const bytes = await readWholeBody(core, exchange, rules);
    const frames = splitFrames(method, this.#form.isText ? decodeText(bytes) : bytes, rules.sizeBytesMax);
    const requests = await openRequests(exchange, method, frames, rules);
    exchange.serve();
    return handler.handle(iterate(requests), this.call);
  }

  protected sendUnary(value: object): void {
    const body = encodeFrame(0, encodeProtobuf(this.method, value), trailerFrame(undefined));
    this.exchange.reply(200, replyHeaders(this.#form, this.call), asForm(this.#form, body));
  }

  protected async sendStream(messages: AsyncIterable<object>): Promise<void> {
    const { core, exchange, call, method } = this;
    const form = this.#form;
    await pump(core, exchange, call, messages, (message) => {
      if (!exchange.started) exchange.start(200, replyHeaders(form, call));
      return exchange.write(asForm(form, encodeFrame(0, encodeProtobuf(method, message))));
    });
    if (!exchange.started) exchange.start(200, replyHeaders(form, call));
    exchange.write(asForm(form, trailerFrame(undefined)));
    exchange.end();
  }

  /** In the response headers when nothing was sent yet, because stock clients look nowhere else; in a trailer frame otherwise. */
  protected sendFailure(failure: ApiError, call: ServerCall | undefined): void {
    const { exchange } = this;
    const form = this.#form;
    if (!exchange.started) return exchange.reply(200, { ...replyHeaders(form, call), ...statusHeaders(failure) });
    exchange.write(asForm(form, trailerFrame(failure)));
    exchange.end();
  }
}

/** The last two segments name service and method; before them stands the root path under which a proxy serves us. */
function findMethod(core: Core, path: string): Method {
  const split = path.lastIndexOf('/', path.lastIndexOf('/') - 1);
  const method = path.startsWith('/') && split >= 0 ? core.methods.find(path.slice(split)) : undefined;
  if (method === undefined) throw unknownMethod(path);
  return method;
}

function splitFrames(method: Method, bytes: Buffer, sizeBytesMax: number): Frame[] {
  const reader = new FrameReader(sizeBytesMax);
  reader.push(bytes);
  const frames: Frame[] = [];
  for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
    if (frame.flags === FLAG_TRAILERS) continue;
    frames.push(frame);
    if (frames.length > 1 && !method.schema.clientStreaming) throw wrongMessageCount();
  }
  if (reader.pending > 0) throw truncatedMessage();
  return frames;
}

/** One after the other, so that no more than one is open at a time. */
async function openRequests(exchange: Exchange, method: Method, frames: readonly Frame[], rules: BodyRules): Promise<object[]> {
  const requests: object[] = [];
  for (const frame of frames) requests.push(await openFrame(exchange, frame, rules, (bytes) => method.input.decode(bytes)));
  return requests;
}

function singleRequest(requests: readonly object[]): object {
  if (requests.length !== 1) throw wrongMessageCount();
  return requests[0]!;
}

async function* iterate<Item>(items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  yield* items;
}

function replyHeaders(form: WebForm, call: ServerCall | undefined): ReplyHeaders {
  return withMetadata({ 'content-type': form.contentType, ...apiHeaders }, call);
}

function asForm(form: WebForm, bytes: Buffer): Buffer | string {
  return form.isText ? bytes.toString('base64') : bytes;
}

/** Base64 whose pieces may each be padded. Written into one buffer: there may be as many pieces as a client likes. */
function decodeText(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  if (!/^[A-Za-z0-9+/=\r\n]*$/.test(text)) throw new ApiError(Code.InvalidArgument, 'the request is not valid base64');
  const decoded = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let start = 0; start < text.length;) {
    const padding = text.indexOf('=', start);
    const end = padding < 0 ? text.length : padding;
    length += decoded.write(text.slice(start, end), length, 'base64');
    start = end + 1;
  }
  return decoded.subarray(0, length);
}
