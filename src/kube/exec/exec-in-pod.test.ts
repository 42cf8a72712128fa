import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger, systemClock } from '../../base/index.ts';
import { createHttpKubeApi } from '../http-kube-api.ts';
import type { HttpKubeApi } from '../http-kube-api.ts';
import type { ExecEvent, ExecSession } from './exec-session.ts';

const TEXT = 1;
const BINARY = 2;
const PING = 9;
const PONG = 10;
const log = createLogger({ level: 'error', format: 'text', write: () => undefined });

/** A frame as a server sends it: not masked. */
function frame(opcode: number, payload: Buffer, isFinal = true): Buffer {
  const length = payload.length < 126 ? Buffer.from([payload.length]) : Buffer.from([126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([Buffer.from([(isFinal ? 0x80 : 0) | opcode]), length, payload]);
}
const onChannel = (channel: number, text: string): Buffer => frame(BINARY, Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
const success = onChannel(3, JSON.stringify({ metadata: {}, status: 'Success' }));

/** The short frames that a client sent, unmasked. */
function readFrames(bytes: Buffer): { opcode: number; payload: Buffer }[] {
  const frames: { opcode: number; payload: Buffer }[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = (bytes[at + 1] ?? 0) & 0x7f;
    expect((bytes[at + 1] ?? 0) & 0x80).toBe(0x80);
    const mask = bytes.subarray(at + 2, at + 6);
    const payload = bytes.subarray(at + 6, at + 6 + length).map((byte, index) => byte ^ (mask[index & 3] ?? 0));
    frames.push({ opcode: (bytes[at] ?? 0) & 15, payload: Buffer.from(payload) });
    at += 6 + length;
  }
  return frames;
}

describe('a program in a container', () => {
  const running: { server: Server; api: HttpKubeApi }[] = [];
  const sockets: Duplex[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const { server, api } of running.splice(0)) {
      await api.close();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function start(
    act: (socket: Duplex) => void,
    { protocol = 'v5.channel.k8s.io', salt = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11' } = {},
  ) {
    const server = createServer((_request, response) => void response.writeHead(200).end());
    const urls: string[] = [];
    server.on('upgrade', (request, socket: Duplex) => {
      urls.push(request.url ?? '');
      sockets.push(socket);
      socket.on('error', () => undefined);
      const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${salt}`).digest('base64');
      const lines = [
        'HTTP/1.1 101 Switching Protocols',
        'Connection: Upgrade',
        'Upgrade: websocket',
        `Sec-WebSocket-Accept: ${accept}`,
        `Sec-WebSocket-Protocol: ${protocol}`,
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      act(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const credentials = { identity: { type: 'none' }, trust: { insecure: false }, disableCompression: false } as const;
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const api = createHttpKubeApi({ server: address, credentials, clock: systemClock, log, userAgent: 'test' });
    running.push({ server, api });
    const exec = (): Promise<ExecSession> => api.exec({ namespace: 'a', name: 'b' }, { command: ['one', 'two & three'], stdin: true });
    return { exec, urls, address };
  }
  async function read(session: ExecSession): Promise<{ events: ExecEvent[]; error?: unknown }> {
    const events: ExecEvent[] = [];
    try {
      for await (const event of session.events) events.push(event);
      return { events };
    } catch (error) {
      return { events, error };
    }
  }

  it('is named with all its words', async () => {
    const { exec, urls } = await start((socket) => socket.end(success));
    expect((await read(await exec())).events).toEqual([{ type: 'exit', code: 0 }]);
    expect(urls).toEqual(['/api/v1/namespaces/a/pods/b/exec?stdin=true&stdout=true&stderr=true&command=one&command=two%20%26%20three']);
  });

  it('ends with its code, after all its output', async () => {
    const details = { causes: [{ reason: 'ExitCode', message: '3' }] };
    const failure = onChannel(3, JSON.stringify({ status: 'Failure', reason: 'NonZeroExitCode', message: 'exit 3', details }));
    const { exec } = await start((socket) =>
      socket.end(Buffer.concat([onChannel(1, ''), failure, onChannel(2, 'late'), onChannel(1, 'x'.repeat(300))])),
    );
    const { events } = await read(await exec());
    expect(events).toEqual([
      { type: 'stderr', bytes: Buffer.from('late') },
      { type: 'stdout', bytes: Buffer.from('x'.repeat(300)) },
      { type: 'exit', code: 3 },
    ]);
  });

  it('may not be run at all', async () => {
    const { exec } = await start((socket) =>
      socket.end(onChannel(3, JSON.stringify({ status: 'Failure', reason: 'InternalError', message: 'no such program' }))),
    );
    expect((await read(await exec())).error).toMatchObject({ name: 'StatusError', message: 'no such program' });
  });

  it('may be cut off', async () => {
    const { exec, address } = await start((socket) => socket.end(onChannel(1, 'half')));
    const { events, error } = await read(await exec());
    expect(events).toHaveLength(1);
    expect(error).toMatchObject({ code: 14, message: `the cluster at ${address} broke off in the middle of its answer` });
  });

  it('is heard in pieces: frames cut anywhere, messages in parts, with a ping between', async () => {
    const received: Buffer[] = [];
    const parts = [
      frame(BINARY, Buffer.from([1, 97]), false),
      frame(PING, Buffer.from('p')),
      frame(0, Buffer.from('b'), true),
      frame(TEXT, Buffer.from('\u0001c')),
      success,
    ];
    const { exec } = await start((socket) => {
      socket.on('data', (chunk: Buffer) => {
        received.push(chunk);
        if (Buffer.concat(received).length >= 7) socket.end(success);
      });
      for (const byte of Buffer.concat(parts.slice(0, 4))) socket.write(Buffer.from([byte]));
    });
    const { events } = await read(await exec());
    expect(events).toEqual([
      { type: 'stdout', bytes: Buffer.from('ab') },
      { type: 'stdout', bytes: Buffer.from('c') },
      { type: 'exit', code: 0 },
    ]);
    expect(readFrames(Buffer.concat(received))).toEqual([{ opcode: PONG, payload: Buffer.from('p') }]);
  });

  it('gets input, a size and the end of input', async () => {
    const received: Buffer[] = [];
    const size = '{"Width":80,"Height":24}';
    const { exec } = await start((socket) => {
      socket.on('data', (chunk: Buffer) => {
        received.push(chunk);
        if (Buffer.concat(received).length >= 9 + 7 + size.length + 8) socket.end(success);
      });
    });
    const session = await exec();
    await session.write(Buffer.from('hi'));
    session.resize({ columns: 80, rows: 24 });
    expect(session.endInput()).toBe(true);
    await read(session);
    expect(readFrames(Buffer.concat(received)).map(({ payload }) => payload)).toEqual([
      Buffer.from('\0hi'),
      Buffer.from(`\u0004${size}`),
      Buffer.from([255, 0]),
    ]);
    const old = await start((socket) => socket.end(success), { protocol: 'v4.channel.k8s.io' });
    const oldSession = await old.exec();
    expect(oldSession.endInput()).toBe(false);
    await read(oldSession);
  });

  it.each([
    ['masked frames', Buffer.from([0x82, 0x81, 0, 0, 0, 0, 0]), 15],
    ['an extension', Buffer.from([0xc2, 1, 0]), 15],
    ['a part of nothing', frame(0, Buffer.from('x')), 15],
    ['far too much', Buffer.from([0x82, 127, 0, 0, 0, 0, 0xff, 0, 0, 0]), 8],
  ])('is not believed with %s', async (_name, bytes, code) => {
    const { exec } = await start((socket) => socket.write(bytes));
    expect((await read(await exec())).error).toMatchObject({ code });
  });

  it('is not spoken to in another protocol', async () => {
    const other = await start(() => undefined, { protocol: 'something' });
    await expect(other.exec()).rejects.toThrow('does not speak the protocol');
    const liar = await start(() => undefined, { salt: 'x' });
    await expect(liar.exec()).rejects.toThrow('does not speak the protocol');
  });
});
