import { Code, type ApiError } from '../../../base/index.ts';

import { checkClientVersion } from '../core/client-version.ts';
import type { Core } from '../core/core.ts';
import { encodeProtobuf } from '../core/encode-reply.ts';
import type { Exchange, ReplyHeaders } from '../core/exchange.ts';
import { toApiError } from '../core/failure.ts';
import { encodeFrame, FLAG_COMPRESSED } from '../core/framing.ts';
import { statusHeaders, withMetadata } from '../core/grpc-status.ts';
import { parseGrpcTimeout } from '../core/grpc-timeout.ts';
import { compress } from '../core/inflate.ts';
import { notImplemented, unknownMethod, type Method } from '../core/method-table.ts';
import { openCall } from '../core/open-call.ts';
import { pump } from '../core/pump.ts';
import { bodyRules } from '../core/read-body.ts';
import type { ServerCall } from '../core/server-call.ts';
import { findToken } from '../core/token.ts';
import { answerHealthCheck, HEALTH_CHECK } from './health.ts';
import { readMessages, readSingleMessage } from './read-messages.ts';

/** Messages below this size are not worth compressing. */
const COMPRESS_BYTES_MIN = 1_024;

/** Answers one gRPC call. Never rejects: whatever goes wrong becomes the call's status. */
export async function handleGrpc(core: Core, exchange: Exchange): Promise<void> {
  if (exchange.path === HEALTH_CHECK) return answerHealthCheck(core, exchange);
  let call: ServerCall | undefined;
  let failure: ApiError | undefined;
  try {
    const method = core.methods.find(exchange.path);
    if (method === undefined) throw unknownMethod(exchange.path);
    checkClientVersion(exchange.headers['user-agent']);
    const timeoutMs = parseGrpcTimeout(exchange.headers['grpc-timeout']);
    const token = findToken(exchange.headers);
    const opened = openCall(core, exchange, { method, transport: 'grpc', token, timeoutMs });
    call = opened instanceof Promise ? await opened : opened;
    await answer(core, exchange, method, call);
  } catch (error) {
    failure = toApiError(core, exchange, error);
    sendFailure(exchange, call, failure);
  }
  call?.finish(failure?.code ?? Code.OK);
}

async function answer(core: Core, exchange: Exchange, method: Method, call: ServerCall): Promise<void> {
  const { handler, input } = method;
  if (handler === undefined) throw notImplemented(method);
  const rules = bodyRules(core, call.caller !== undefined, core.limits.messageBytesMax);
  const decode = (bytes: Buffer): object => input.decode(bytes);
  if (handler.kind === 'client-stream') {
    exchange.invite();
    exchange.serve();
    return sendUnary(exchange, method, call, await call.settle(handler.handle(readMessages(exchange, rules, decode), call)));
  }
  const request = await call.wait(readSingleMessage(core, exchange, rules, decode));
  exchange.serve();
  if (handler.kind === 'unary') return sendUnary(exchange, method, call, await call.settle(handler.handle(request, call)));
  return sendStream(core, exchange, method, call, handler.handle(request, call));
}

function sendUnary(exchange: Exchange, method: Method, call: ServerCall, value: object): void | Promise<void> {
  const payload = encodeProtobuf(method, value);
  if (wantsCompression(exchange)) return compressFrame(payload).then((frame) => sendFrame(exchange, replyHeaders(call, true), frame));
  sendFrame(exchange, replyHeaders(call, false), encodeFrame(0, payload));
}

function sendFrame(exchange: Exchange, headers: ReplyHeaders, frame: Buffer): void {
  if (exchange.over) return;
  exchange.start(200, headers, true);
  exchange.end(statusHeaders(undefined), frame);
}

async function sendStream(
  core: Core,
  exchange: Exchange,
  method: Method,
  call: ServerCall,
  messages: AsyncIterable<object>,
): Promise<void> {
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

/** In the head when nothing was sent yet (trailers only), in the trailers otherwise. */
function sendFailure(exchange: Exchange, call: ServerCall | undefined, failure: ApiError): void {
  if (exchange.over) return;
  if (exchange.started) exchange.end(statusHeaders(failure));
  else exchange.reply(200, withMetadata({ 'content-type': 'application/grpc', ...statusHeaders(failure) }, call));
}

function replyHeaders(call: ServerCall, compressed: boolean): ReplyHeaders {
  const headers: ReplyHeaders = { 'content-type': 'application/grpc' };
  if (compressed) headers['grpc-encoding'] = 'gzip';
  return withMetadata(headers, call);
}

/** Answers are compressed for clients that compress: it costs more than it saves on a quick network. */
function wantsCompression(exchange: Exchange): boolean {
  return exchange.headers['grpc-encoding'] === 'gzip' && String(exchange.headers['grpc-accept-encoding'] ?? '').includes('gzip');
}

async function compressFrame(payload: Uint8Array): Promise<Buffer> {
  if (payload.length < COMPRESS_BYTES_MIN) return encodeFrame(0, payload);
  return encodeFrame(FLAG_COMPRESSED, await compress(payload, {}));
}
