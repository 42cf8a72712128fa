import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http2';
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageCodec } from '../../src/contract/index.ts';
import type { JsonObject } from '../../src/contract/index.ts';

export interface PluginStub {
  readonly socketFolder: string;
  /** How many connections are open. */
  readonly open: () => number;
  close(): Promise<void>;
}

/** How a plugin answers its methods, by their names; where nothing is said, it recognises nothing and is set up for nothing. */
export type StubAnswers = Readonly<Record<string, (stream: ServerHttp2Stream, received: () => readonly JsonObject[]) => void>>;

/** A plugin named `stub` that answers as the test says, for what the stock server never does. */
export async function startPluginStub(answers: StubAnswers): Promise<PluginStub> {
  const socketFolder = await mkdtemp(join(tmpdir(), 'stub-'));
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer({ maxSendHeaderBlockLength: 1 << 24 });
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const method = String(headers[':path']).split('/').at(-1) ?? '';
    const answer = answers[method] ?? ((each: ServerHttp2Stream) => sendMessage(each, new Uint8Array()));
    stream.on('end', () => answer(stream, () => readMessages(Buffer.concat(chunks))));
  });
  await new Promise<void>((resolve) => server.listen(join(socketFolder, 'stub.sock'), resolve));
  return {
    socketFolder,
    open: () => sessions.size,
    async close() {
      for (const session of sessions) session.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(socketFolder, { recursive: true, force: true });
    },
  };
}

/** A whole answer with one message. */
export function sendMessage(stream: ServerHttp2Stream, message: Uint8Array, status: Record<string, string> = { 'grpc-status': '0' }): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(status));
  stream.end(frame(message));
}

export function sendManifests(stream: ServerHttp2Stream, manifests: readonly string[]): void {
  sendMessage(stream, messageCodec('plugin.ManifestResponse').encode({ manifests: [...manifests] }));
}

export function frame(message: Uint8Array, flag = 0, length = message.length): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

function readMessages(bytes: Buffer): JsonObject[] {
  const messages: JsonObject[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32BE(at + 1);
    messages.push(messageCodec('plugin.AppStreamRequest').decode(bytes.subarray(at + 5, at + 5 + length)));
    at += 5 + length;
  }
  return messages;
}
