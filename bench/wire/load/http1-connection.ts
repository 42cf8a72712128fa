import { connect } from 'node:net';
import type { ConnectionOptions, LoadedConnection, LoadRequest } from './load.ts';

const OK = Buffer.from('HTTP/1.1 200 ');
const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKED = Buffer.from('Transfer-Encoding: chunked');

/** One request at a time over a kept connection, as plain bytes: a client library would cost more than the server. */
export function openHttp1({ request, port, onAnswer, onFailure }: ConnectionOptions): LoadedConnection {
  const bytes = writeRequest(request, port);
  const expected = Buffer.from(request.answer);
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  let startMs = 0;
  let isFinishing = false;
  let isDone = false;
  const ask = (): void => {
    startMs = performance.now();
    socket.write(bytes);
  };
  const fail = (what: string): void => {
    if (!isDone) onFailure(new Error(`${request.path}: ${what}`));
  };
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const rest = received.subarray(headEnd + HEAD_END.length);
    const isChunked = received.lastIndexOf(CHUNKED, headEnd) >= 0;
    const body = isChunked ? joinChunks(rest) : rest;
    if (body === undefined || body.length < expected.length) return;
    if (!received.subarray(0, OK.length).equals(OK) || !expected.equals(body))
      return fail(`unexpected answer ${received.toString('latin1')}`);
    received = received.subarray(0, 0);
    onAnswer(performance.now() - startMs);
    if (!isFinishing) return ask();
    isDone = true;
    socket.destroy();
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', (error) => fail(error.message));
  socket.on('close', () => fail('the server closed the connection'));
  return {
    opened: new Promise((resolve) => socket.once('connect', resolve)),
    begin: ask,
    finish() {
      isFinishing = true;
      return closed;
    },
    destroy() {
      isDone = true;
      socket.destroy();
    },
  };
}

function writeRequest({ verb, path, headers, body }: LoadRequest, port: number): Buffer {
  const lines = [`${verb} ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (verb !== 'GET') lines.push(`content-length: ${body.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** The body of a chunked answer; undefined while it is not complete. */
function joinChunks(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  let position = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', position);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', position, lineEnd), 16);
    const start = lineEnd + 2;
    position = start + length + 2;
    if (position > bytes.length) return undefined;
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(start, start + length));
  }
}
