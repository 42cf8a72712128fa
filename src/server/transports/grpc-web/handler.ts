import { ApiError, Code } from '../../../base/index.ts';
import { openFrame } from '../grpc/read-messages.ts';

import { checkClientVersion } from '../core/client-version.ts';
import type { Core } from '../core/core.ts';
import { encodeProtobuf } from '../core/encode-reply.ts';
import type { Exchange, ReplyHeaders } from '../core/exchange.ts';
import { toApiError } from '../core/failure.ts';
import { encodeFrame, FLAG_TRAILERS, FrameReader, PREFIX_BYTES, truncatedMessage, wrongMessageCount, type Frame } from '../core/framing.ts';
import { statusHeaders, withMetadata } from '../core/grpc-status.ts';
import { parseGrpcTimeout } from '../core/grpc-timeout.ts';
import { notImplemented, unknownMethod, type Method } from '../core/method-table.ts';
import { openCall } from '../core/open-call.ts';
import { pump } from '../core/pump.ts';
import { bodyRules, readWholeBody, type Executor, type BodyRules } from '../core/read-body.ts';
import { apiHeaders } from '../core/security-headers.ts';
import type { ServerCall } from '../core/server-call.ts';
import { findToken } from '../core/token.ts';
import type { WebForm } from './content-type.ts';
import { trailerFrame } from './trailer-status.ts';

/** Answers one gRPC-Web call. Never rejects: whatever goes wrong becomes the call's status. */
export async function handleGrpcWeb(core: Core, exchange: Exchange, form: WebForm): Promise<void> {
  let call: ServerCall | undefined;
  let failure: ApiError | undefined;
  try {
    const method = findMethod(core, exchange.path);
    checkClientVersion(exchange.headers['user-agent']);
    const timeoutMs = parseGrpcTimeout(exchange.headers['grpc-timeout']);
    const token = findToken(exchange.headers);
    const opened = openCall(core, exchange, { method, transport: 'grpc-web', token, timeoutMs });
    call = opened instanceof Promise ? await opened : opened;
    await answer(core, exchange, { method, call, form });
  } catch (error) {
    failure = toApiError(core, exchange, error);
    sendFailure(exchange, form, call, failure);
  }
  call?.finish(failure?.code ?? Code.OK);
}

/** The last two segments name service and method; before them stands the root path under which a proxy serves us. */
function findMethod(core: Core, path: string): Method {
  const split = path.lastIndexOf('/', path.lastIndexOf('/') - 1);
  const method = path.startsWith('/') && split >= 0 ? core.methods.find(path.slice(split)) : undefined;
  if (method === undefined) throw unknownMethod(path);
  return method;
}

interface WebCall {
  readonly method: Method;
  readonly call: ServerCall;
  readonly form: WebForm;
}

async function answer(core: Core, exchange: Exchange, webCall: WebCall): Promise<void> {
  const { method, call, form } = webCall;
  const { handler } = method;
  if (handler === undefined) throw notImplemented(method);
  const requests = await call.wait(readRequests(core, exchange, webCall));
  exchange.serve();
  if (handler.kind === 'server-stream') {
    await pump(core, exchange, call, handler.handle(singleRequest(requests), call), (message) => {
      if (!exchange.started) exchange.start(200, replyHeaders(form, call));
      return exchange.write(asForm(form, encodeFrame(0, encodeProtobuf(method, message))));
    });
    if (!exchange.started) exchange.start(200, replyHeaders(form, call));
    exchange.write(asForm(form, trailerFrame(undefined)));
    exchange.end();
    return;
  }
  const work = handler.kind === 'unary' ? handler.handle(singleRequest(requests), call) : handler.handle(iterate(requests), call);
  const value = await call.settle(work);
  if (exchange.over) return;
  const body = encodeFrame(0, encodeProtobuf(method, value), trailerFrame(undefined));
  exchange.reply(200, replyHeaders(form, call), asForm(form, body));
}

/** The messages of the request: the body of a gRPC-Web call is complete before its method runs. */
function readRequests(core: Core, exchange: Exchange, { method, call, form }: WebCall): Executor<object[]> {
  const rules = bodyRules(core, call.caller !== undefined, core.limits.messageBytesMax);
  return readWholeBody(core, exchange, rules, (bytes) => {
    // The usual case: one plain message and nothing else.
    if (!form.isText && isSinglePlainFrame(bytes)) return [method.input.decode(bytes.subarray(PREFIX_BYTES))];
    const frames = splitFrames(method, form.isText ? decodeText(bytes) : bytes, rules.sizeBytesMax);
    if (frames.every(({ flags }) => flags === 0)) return frames.map(({ payload }) => method.input.decode(payload));
    return openRequests(exchange, method, frames, rules);
  });
}

function isSinglePlainFrame(bytes: Buffer): boolean {
  return bytes.length >= PREFIX_BYTES && bytes[0] === 0 && bytes.readUInt32BE(1) === bytes.length - PREFIX_BYTES;
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

/**
 * In the response headers when nothing was sent yet, because stock clients look nowhere else; in a trailer frame
 * otherwise.
 */
function sendFailure(exchange: Exchange, form: WebForm, call: ServerCall | undefined, failure: ApiError): void {
  if (exchange.over) return;
  if (!exchange.started) {
    exchange.reply(200, { ...replyHeaders(form, call), ...statusHeaders(failure) });
    return;
  }
  exchange.write(asForm(form, trailerFrame(failure)));
  exchange.end();
}

function replyHeaders(form: WebForm, call: ServerCall | undefined): ReplyHeaders {
  return withMetadata({ 'content-type': form.contentType, ...apiHeaders }, call);
}

function asForm(form: WebForm, bytes: Buffer): Buffer | string {
  return form.isText ? bytes.toString('base64') : bytes;
}

/** Base64 whose pieces may each be padded. */
function decodeText(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  if (!/^[A-Za-z0-9+/=\r\n]*$/.test(text)) throw new ApiError(Code.InvalidArgument, 'the request is not valid base64');
  return Buffer.concat((text.match(/[^=]+={0,2}/g) ?? []).map((piece) => Buffer.from(piece, 'base64')));
}
