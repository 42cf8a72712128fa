import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Flag, FrameType, frame, goAwayCodes, grpcRequest, openHttp2, parseFrames, ping } from './http2-frames.ts';
import { startTarget, type Target } from './target.ts';
import { hear, open, pour, say } from './wire.ts';

const MIB = 1_048_576;
const GIGABYTE = 1_000_000_000;
const LOGIN_HEAD = 'POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
const CREATE = '/session.SessionService/Create';

describe('request bodies', () => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget();
  });
  afterAll(() => target.stop());

  it('DOS-01: of a declared gigabyte are refused before they are sent', async () => {
    const { text, durationMs } = await target.attack(() => say(target, `${LOGIN_HEAD}content-length: ${GIGABYTE}\r\n\r\n`));
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toContain('"code":8');
    expect(durationMs).toBeLessThan(3_000);
  });

  it('DOS-01: of a declared gigabyte are refused also when they are being sent', async () => {
    const sent = await target.attack(async () => {
      const socket = await open(target);
      socket.write(`${LOGIN_HEAD}content-length: ${GIGABYTE}\r\n\r\n`);
      socket.resume();
      return pour(socket, Buffer.alloc(65_536, 0x20), GIGABYTE);
    });
    // A little is read and thrown away, so that the client hears the answer; the rest is in buffers on the way.
    expect(sent).toBeLessThan(50 * MIB);
  });

  it('DOS-01: without an end are cut at the limit', async () => {
    const chunk = Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`);
    const heard = await target.attack(async () => {
      const socket = await open(target);
      socket.write(`${LOGIN_HEAD}transfer-encoding: chunked\r\n\r\n`);
      const answer = hear(socket, { until: '"code":8' });
      await pour(socket, chunk, 50 * MIB);
      return answer;
    });
    expect(heard.text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('in the smallest of pieces take no more memory than in large ones', async () => {
    // Each piece is an object of its own when it arrives; kept so, a megabyte of them takes more than a hundred.
    const pieces = Buffer.from('1\r\n \r\n'.repeat(100_000));
    const grownMb = await target.attack(async () => {
      const before = await target.level();
      const socket = await open(target);
      socket.write(`${LOGIN_HEAD}transfer-encoding: chunked\r\n\r\n`);
      await pour(socket, pieces, 6 * pieces.length);
      const { memoryMb } = await target.level();
      socket.destroy();
      return memoryMb - before.memoryMb;
    });
    expect(grownMb).toBeLessThan(48);
  });

  it('DOS-01: compressed a thousandfold are refused by what they grow to', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * MIB, 0x20));
    const signedIn = { 'grpc-metadata-token': target.token };
    const statuses = await target.attack(() =>
      Promise.all(
        [{}, signedIn].map(async (headers) => {
          const init = { 'content-type': 'application/json', 'content-encoding': 'gzip', connection: 'close', ...headers };
          return (await fetch(`${target.url}/api/v1/session`, { method: 'POST', body: bomb, headers: init })).status;
        }),
      ),
    );
    expect(statuses).toEqual([413, 413]);
  });

  it.each(['deflate', 'br', 'gzip, gzip', 'x'])('compressed in another way are refused: %s', async (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding, connection: 'close' };
    const status = await target.attack(
      async () => (await fetch(`${target.url}/api/v1/session`, { method: 'POST', body: '{}', headers })).status,
    );
    expect(status).toBe(400);
  });

  it.each([
    ['garbage', Buffer.from('not gzip')],
    ['cut short', gzipSync('{"username":"admin"}').subarray(0, 20)],
    ['with something behind', Buffer.concat([gzipSync('{}'), Buffer.from('x')])],
  ])('that claim to be gzip are refused: %s', async (_name, body) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', connection: 'close' };
    const response = await target.attack(async () => fetch(`${target.url}/api/v1/session`, { method: 'POST', body, headers }));
    expect([400, 401]).toContain(response.status);
  });

  it('DOS-02: of a gRPC message of a gigabyte are refused by its prefix', async () => {
    const status = await target.attack(async () => {
      const session = connectHttp2(target.url);
      const headers = { ':method': 'POST', ':path': CREATE, 'content-type': 'application/grpc', te: 'trailers', token: target.token };
      const stream = session.request(headers);
      stream.write(Buffer.from([0, 0x3b, 0x9a, 0xca, 0]));
      const [answer] = (await once(stream, 'response')) as [Record<string, string>];
      session.destroy();
      return answer['grpc-status'];
    });
    expect(status).toBe('8');
  });

  it('DOS-02: in single bytes over HTTP/2 take no more memory than in large pieces', async () => {
    const bytes = Buffer.concat(Array.from({ length: 16_384 }, () => frame(FrameType.data, 0, 1, Buffer.from([0x0a]))));
    const grownMb = await target.attack(async () => {
      const before = await target.level();
      const socket = await openHttp2(target);
      socket.write(Buffer.concat([grpcRequest(1, CREATE), frame(FrameType.data, 0, 1, Buffer.from([0, 0, 0x0f, 0, 0]))]));
      for (let round = 0; round < 20 && !socket.destroyed; round++) {
        socket.write(bytes);
        await ping(socket);
      }
      expect(socket.destroyed).toBe(false);
      const { memoryMb } = await target.level();
      socket.destroy();
      return memoryMb - before.memoryMb;
    });
    expect(grownMb).toBeLessThan(48);
  });

  it('whose length is no length are refused', async () => {
    for (const length of ['-1', '0x10', '1e9', '5 5', '18446744073709551617', '+5', '5;']) {
      const { text } = await target.attack(() => say(target, `${LOGIN_HEAD}content-length: ${length}\r\n\r\nabcde`));
      expect(text, length).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it.each([
    // The library gives the whole connection up.
    ['longer', 50, '3', { resets: [], goAway: [2] }],
    ['shorter', 5, '100', { resets: [1], goAway: [] }],
  ])('over HTTP/2 that are %s than declared are cut off without an answer', async (_what, sizeBytes, declared, expected) => {
    const { text } = await target.attack(async () => {
      const socket = await openHttp2(target);
      const body = frame(FrameType.data, Flag.endStream, 1, Buffer.alloc(sizeBytes));
      socket.write(Buffer.concat([grpcRequest(1, CREATE, [['content-length', declared]]), body]));
      return hear(socket, { timeoutMs: 1_000 });
    });
    const ofStreams = parseFrames(text).filter(({ stream }) => stream !== 0);
    const resets = ofStreams.filter(({ type }) => type === FrameType.reset).map(({ stream }) => stream);
    expect({ resets, goAway: goAwayCodes(text) }).toEqual(expected);
    expect(ofStreams.filter(({ type }) => type === FrameType.headers || type === FrameType.data)).toEqual([]);
  });
});
