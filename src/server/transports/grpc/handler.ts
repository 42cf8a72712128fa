import type { ApiError } from '../../../base/index.ts';

import { checkClientVersion } from '../core/client-version.ts';
import type { Core } from '../core/core.ts';
import { encodeProtobuf } from '../core/encode-reply.ts';
import type { Exchange, ReplyHeaders } from '../core/exchange.ts';
import { encodeFrame, FLAG_COMPRESSED, frameInPieces } from '../core/framing.ts';
import { statusHeaders, withMetadata } from '../core/grpc-status.ts';
import { parseGrpcTimeout } from '../core/grpc-timeout.ts';
import { compress } from '../core/inflate.ts';
import { unknownMethod, type ClientStream } from '../core/method-table.ts';
import type { OpenCallOptions } from '../core/open-call.ts';
import { pump } from '../core/pump.ts';
import { readBody } from '../core/read-body.ts';
import type { ServerCall } from '../core/server-call.ts';
import { findToken } from '../core/token.ts';
import { Turn } from '../core/turn.ts';
import { answerHealthCheck, HEALTH_CHECK } from './health.ts';
import { openFrame, readMessages, SingleMessage } from './read-messages.ts';
import { isReflection, ReflectionTurn } from './reflection.ts';
import { sendFailure } from './send-failure.ts';

/** Messages below this size are not worth compressing. */
const COMPRESS_BYTES_MIN = 1_024;

/** Answers one gRPC call. */
export function handleGrpc(core: Core, exchange: Exchange): void {
  if (exchange.path === HEALTH_CHECK) answerHealthCheck(core, exchange);
  else if (isReflection(exchange.path)) new ReflectionTurn(core, exchange).run();
  else new GrpcTurn(core, exchange).run();
}

class GrpcTurn extends Turn {
  #message: SingleMessage | undefined;

  protected identify(): OpenCallOptions {
    const { core, exchange } = this;
    const method = core.methods.find(exchange.path);
    if (method === undefined) throw unknownMethod(exchange.path);
    checkClientVersion(exchange.header('user-agent'));
    const timeoutMs = parseGrpcTimeout(exchange.header('grpc-timeout'));
    return { method, transport: 'grpc', token: findToken(exchange), timeoutMs };
  }

  protected readRequest(): void {
    const rules = this.chooseRules(this.core.messageRules);
    this.#message = new SingleMessage(rules.sizeBytesMax);
    readBody(this.core, this.exchange, rules, this);
  }

  push(chunk: Buffer): void {
    this.#message!.push(chunk);
  }

  end(): Promise<void> | void {
    const { flags, payload } = this.#message!.end();
    const { input } = this.method;
    if (flags === 0) return this.take(input.decode(payload));
    const rules = this.chooseRules(this.core.messageRules);
    return openFrame(this.exchange, { flags, payload }, rules, (bytes) => this.take(input.decode(bytes))).catch((error: unknown) =>
      this.fail(error),
    );
  }

  protected readRequests(handler: ClientStream): Promise<object> {
    const { exchange, method } = this;
    exchange.invite();
    exchange.serve();
    const requests = readMessages(exchange, this.chooseRules(this.core.messageRules), (bytes) => method.input.decode(bytes));
    return handler.handle(requests, this.call);
  }

  protected sendUnary(value: object): Promise<void> | void {
    const payload = encodeProtobuf(this.method, value);
    if (!wantsCompression(this.exchange)) return this.#sendFrame(frameInPieces(payload), false);
    return compressFrame(payload).then((frame) => this.#sendFrame([frame], true));
  }

  protected async sendStream(messages: AsyncIterable<object>): Promise<void> {
    const { core, exchange, call, method } = this;
    const compressed = wantsCompression(exchange);
    await pump(core, exchange, call, messages, async (message) => {
      const payload = encodeProtobuf(method, message);
      const frame = compressed ? await compressFrame(payload) : encodeFrame(0, payload);
      if (!exchange.started) exchange.start(200, replyHeaders(call, compressed), true);
      return exchange.write(frame);
    });
    if (!exchange.started) exchange.start(200, replyHeaders(call, compressed), true);
    exchange.end(statusHeaders(undefined));
  }

  protected sendFailure(failure: ApiError, call: ServerCall | undefined): void {
    sendFailure(this.exchange, failure, call);
  }

  #sendFrame(pieces: readonly Uint8Array[], compressed: boolean): void {
    const { exchange } = this;
    if (exchange.over) return;
    exchange.start(200, replyHeaders(this.call, compressed), true);
    exchange.end(statusHeaders(undefined), ...pieces);
  }
}

function replyHeaders(call: ServerCall, compressed: boolean): ReplyHeaders {
  const headers: ReplyHeaders = { 'content-type': 'application/grpc' };
  if (compressed) headers['grpc-encoding'] = 'gzip';
  return withMetadata(headers, call);
}

/** Answers are compressed for clients that compress: it costs more than it saves on a quick network. */
function wantsCompression(exchange: Exchange): boolean {
  return exchange.header('grpc-encoding') === 'gzip' && exchange.header('grpc-accept-encoding')?.includes('gzip') === true;
}

async function compressFrame(payload: Uint8Array): Promise<Buffer> {
  if (payload.length < COMPRESS_BYTES_MIN) return encodeFrame(0, payload);
  return encodeFrame(FLAG_COMPRESSED, await compress(payload, {}));
}
