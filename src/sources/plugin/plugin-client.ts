import { connect as connectHttp2, constants } from 'node:http2';
import type { ClientHttp2Stream } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { Readable } from 'node:stream';
import { Code } from '../../base/index.ts';
import type { Timers } from '../../base/index.ts';
import { calledMethods, messageCodec } from '../../contract/index.ts';
import type { JsonObject, MessageCodec, MethodSchema } from '../../contract/index.ts';
import { frameMessage, PluginCallError, readOnlyMessage, readStatus } from './plugin-call.ts';

export interface PluginClientOptions {
  readonly socket: string;
  readonly timers: Timers;
  /** For all calls together. */
  readonly limitMs: number;
  readonly answerBytesMax: number;
  readonly signal?: AbortSignal | undefined;
}

export interface PluginClient {
  /** Calls a method of the plugin's service; `requests` are its messages, one or a stream of them. Throws a PluginCallError. */
  call(method: string, requests: Iterable<JsonObject> | AsyncIterable<JsonObject>): Promise<JsonObject>;
}

const HEADERS_BYTES_MAX = 64 << 10;
/** The plugin gives up this much earlier than we do, so that it says itself what took so long. */
const HEAD_START_MS = 500;

/** Lends a connection to a plugin: gRPC over HTTP/2 on a Unix socket. Nothing of it stays open afterwards. */
export async function withPluginClient<Result>(
  options: PluginClientOptions,
  use: (client: PluginClient) => Promise<Result>,
): Promise<Result> {
  const { socket, timers, limitMs, signal } = options;
  const deadlineMs = timers.nowMs() + limitMs;
  const stopping = new AbortController();
  const session = connectHttp2('http://localhost', {
    createConnection: () => connectSocket(socket),
    settings: { enablePush: false, maxHeaderListSize: HEADERS_BYTES_MAX },
  });
  const giveUp = (error: Error): void => {
    stopping.abort(error);
    session.destroy();
  };
  session.on('error', (error: Error) => giveUp(new PluginCallError(Code.Unavailable, `connection error: ${describeTrouble(error)}`)));
  const cancelLimit = timers.schedule(limitMs, () => giveUp(new PluginCallError(Code.DeadlineExceeded, 'context deadline exceeded')));
  const onAbort = (): void => giveUp(new PluginCallError(Code.Canceled, 'context canceled'));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();

  async function call(name: string, requests: Iterable<JsonObject> | AsyncIterable<JsonObject>): Promise<JsonObject> {
    const method = findMethod(name);
    stopping.signal.throwIfAborted();
    const leftMs = Math.max(1, Math.floor(deadlineMs - timers.nowMs() - HEAD_START_MS));
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: method.path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': `${leftMs}m`,
    });
    const frames = Readable.from(frame(requests, messageCodec(method.input)), { objectMode: false, highWaterMark: 1 << 18 });
    // What goes wrong while sending shows in the answer, unless it is our own.
    frames.on('error', (error) => stream.destroy(error));
    frames.pipe(stream);
    try {
      return messageCodec(method.output).decode(readOnlyMessage(await readAnswer(stream, stopping.signal, options.answerBytesMax)));
    } finally {
      frames.destroy();
      stream.destroy();
    }
  }

  try {
    return await use({ call });
  } finally {
    cancelLimit();
    signal?.removeEventListener('abort', onAbort);
    session.destroy();
  }
}

async function* frame(requests: Iterable<JsonObject> | AsyncIterable<JsonObject>, codec: MessageCodec): AsyncGenerator<Buffer> {
  for await (const request of requests) yield frameMessage(codec.encode(request));
}

/** The bytes of an answer whose status is good. */
function readAnswer(stream: ClientHttp2Stream, stopped: AbortSignal, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status: ReturnType<typeof readStatus>;
    let failure: Error | undefined;
    const fail = (error: Error): void => {
      failure ??= error;
      stream.destroy();
    };
    stream.on('response', (headers) => {
      status = readStatus(headers);
      if (headers[':status'] !== 200)
        fail(new PluginCallError(Code.Unavailable, `the plugin answered with the status ${headers[':status']} of HTTP`));
    });
    stream.on('trailers', (headers: Readonly<Record<string, unknown>>) => {
      status ??= readStatus(headers);
    });
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else fail(new PluginCallError(Code.ResourceExhausted, `the plugin answered with more than ${bytesMax} bytes`));
    });
    stream.on('error', (error: Error) => {
      failure ??= error instanceof PluginCallError ? error : new PluginCallError(Code.Unavailable, describeTrouble(error));
    });
    stream.on('close', () => {
      if (stopped.aborted) reject(stopped.reason as Error);
      else if (status instanceof PluginCallError) reject(status);
      else if (failure !== undefined) reject(failure);
      else if (status === 'ok') resolve(Buffer.concat(chunks));
      else reject(new PluginCallError(Code.Unavailable, 'the plugin ended its answer without a status'));
    });
  });
}

/** Without the path of the socket. */
function describeTrouble(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : 'the connection broke';
}

function findMethod(name: string): MethodSchema {
  const method = calledMethods.find((known) => known.name === name);
  if (method === undefined) throw new Error(`the plugin service has no method ${name}`);
  return method;
}
