import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  encodeHeaders,
  Flag,
  frame,
  FrameType,
  goAwayCodes,
  grpcRequest,
  NO_SETTINGS,
  openHttp2,
  parseFrames,
  ping,
  request,
  reset,
  uint32,
  type Header,
} from './http2-frames.ts';
import { startTarget, type Target } from './target.ts';
import { hear, pour } from './wire.ts';

const { data, headers, priority, reset: resetType, settings, pushPromise, ping: pingType, goAway, windowUpdate, continuation } = FrameType;
const LIST = '/account.AccountService/ListAccounts';

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.stop());

/** Sends frames after a proper start and listens until the other side has had enough. */
async function send(frames: readonly Buffer[], timeoutMs = 3_000): Promise<{ text: string; closed: boolean }> {
  const socket = await openHttp2(target);
  socket.write(Buffer.concat(frames));
  return hear(socket, { timeoutMs });
}

/** Sends until the other side closes; undefined when it never does. */
async function flood(socket: Socket, chunk: Buffer, bytesMax: number): Promise<{ sent: number; text: string; closed: boolean }> {
  const heard = hear(socket, { timeoutMs: 8_000 });
  const sent = await pour(socket, chunk, bytesMax);
  return { sent, ...(await heard) };
}

describe('malformed HTTP/2', () => {
  it.each<[string, Buffer[]]>([
    ['DATA on stream 0', [frame(data, 0, 0, Buffer.alloc(10))]],
    ['DATA on a stream that was never opened', [frame(data, 0, 7, Buffer.alloc(10))]],
    ['HEADERS on stream 0', [frame(headers, 5, 0, encodeHeaders([[':method', 'GET']]))]],
    ['HEADERS on an even stream', [request(2, '/healthz')]],
    ['a frame that is larger than allowed', [frame(data, 0, 1, Buffer.alloc(20_000))]],
    ['a frame of sixteen megabytes', [frame(headers, 5, 1, Buffer.alloc(0), 0xffffff)]],
    ['padding longer than the frame', [request(1, '/healthz', [], { end: false }), frame(data, Flag.padded, 1, Buffer.from([200, 1, 2]))]],
    ['padded HEADERS of no length', [frame(headers, Flag.padded | Flag.endHeaders, 1)]],
    ['SETTINGS of a wrong length', [frame(settings, 0, 0, Buffer.alloc(5))]],
    ['SETTINGS on a stream', [frame(settings, 0, 1, Buffer.alloc(6))]],
    ['SETTINGS ACK with a payload', [frame(settings, Flag.ack, 0, Buffer.alloc(6))]],
    ['a window larger than possible', [frame(settings, 0, 0, Buffer.from([0, 4, 0xff, 0xff, 0xff, 0xff]))]],
    ['a frame size smaller than possible', [frame(settings, 0, 0, Buffer.from([0, 5, 0, 0, 0, 1]))]],
    ['PING of a wrong length', [frame(pingType, 0, 0, Buffer.alloc(7))]],
    ['PING on a stream', [frame(pingType, 0, 1, Buffer.alloc(8))]],
    ['RST_STREAM of an idle stream', [reset(9)]],
    ['RST_STREAM of a wrong length', [request(1, '/healthz', [], { end: false }), frame(resetType, 0, 1, Buffer.alloc(3))]],
    [
      'PUSH_PROMISE from a client',
      [frame(pushPromise, Flag.endHeaders, 1, Buffer.concat([uint32(2), encodeHeaders([[':method', 'GET']])]))],
    ],
    ['WINDOW_UPDATE by nothing', [frame(windowUpdate, 0, 0, uint32(0))]],
    ['WINDOW_UPDATE beyond the limit', [frame(windowUpdate, 0, 0, uint32(0x7fffffff)), frame(windowUpdate, 0, 0, uint32(0x7fffffff))]],
    ['CONTINUATION without HEADERS', [frame(continuation, Flag.endHeaders, 1, Buffer.alloc(3))]],
    [
      'another frame between HEADERS and CONTINUATION',
      [frame(headers, 0, 1, encodeHeaders([[':method', 'GET']])), frame(pingType, 0, 0, Buffer.alloc(8))],
    ],
    ['HPACK with an index that is not there', [frame(headers, 5, 1, Buffer.from([0xff, 0xff, 0xff, 0x0f]))]],
    ['HPACK that ends in the middle', [frame(headers, 5, 1, Buffer.from([0, 0x7f, 0x80]))]],
    ['HPACK with a number without end', [frame(headers, 5, 1, Buffer.alloc(100, 0xff))]],
    ['an HPACK table of a gigabyte', [frame(headers, 5, 1, Buffer.from([0x3f, 0xe1, 0xff, 0xff, 0xff, 0x03]))]],
  ])('ends the connection with GOAWAY: %s', async (_name, frames) => {
    const { text, closed } = await target.attack(() => send(frames));
    expect(closed).toBe(true);
    expect(goAwayCodes(text).at(-1) ?? 0).not.toBe(0);
  });

  it('ignores a stream number that goes back', async () => {
    const { text } = await target.attack(() => send([request(5, '/healthz'), request(3, '/healthz')], 400));
    expect(new Set(parseFrames(text).flatMap(({ type, stream }) => (type === headers ? [stream] : [])))).toEqual(new Set([5]));
  });

  it.each<[string, Header[]]>([
    [
      'no path',
      [
        [':method', 'GET'],
        [':scheme', 'http'],
      ],
    ],
    [
      'no method',
      [
        [':path', '/healthz'],
        [':scheme', 'http'],
      ],
    ],
    [
      'two paths',
      [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', '/healthz'],
        [':path', '/api/v1/account'],
      ],
    ],
    [
      'an unknown pseudo-header',
      [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', '/healthz'],
        [':admin', 'true'],
      ],
    ],
    [
      'a pseudo-header after others',
      [
        [':method', 'GET'],
        [':scheme', 'http'],
        ['a', 'b'],
        [':path', '/healthz'],
      ],
    ],
    [
      'upper case',
      [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', '/healthz'],
        ['X-Y', 'z'],
      ],
    ],
    [
      'a header of HTTP/1.1',
      [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', '/healthz'],
        ['transfer-encoding', 'chunked'],
      ],
    ],
    [
      'an upgrade',
      [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', '/healthz'],
        ['connection', 'upgrade'],
        ['upgrade', 'h2c'],
      ],
    ],
    [
      'a line end in a value',
      [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', '/healthz'],
        ['a', 'b\r\nc: d'],
      ],
    ],
    [
      'a NUL in a name',
      [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', '/healthz'],
        ['a\0b', 'c'],
      ],
    ],
    [
      'an empty path',
      [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', ''],
      ],
    ],
    [
      'WEB-11: a path without a slash',
      [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', 'healthz'],
      ],
    ],
    [
      'an extended CONNECT',
      [
        [':method', 'CONNECT'],
        [':protocol', 'websocket'],
        [':scheme', 'http'],
        [':path', '/healthz'],
        [':authority', 'x'],
      ],
    ],
    [
      'a CONNECT',
      [
        [':method', 'CONNECT'],
        [':authority', '127.0.0.1:22'],
      ],
    ],
  ])('gets no success: %s', async (_name, list) => {
    const { text } = await target.attack(() => send([frame(headers, 5, 1, encodeHeaders(list))], 400));
    const statuses = parseFrames(text).filter(({ type, stream }) => type === headers && stream === 1);
    // 0x88 is `:status: 200` in HPACK's fixed table.
    expect(statuses.filter(({ payload }) => payload[0] === 0x88)).toEqual([]);
  });
});

describe('DOS-03: floods over HTTP/2', () => {
  /** Thousands of requests that are reset at once, in as few packets as possible. */
  it.each<[string, (stream: number) => Buffer[]]>([
    ['requests that are reset by the client', (stream) => [request(stream, '/healthz', [], { end: false }), reset(stream)]],
    ['calls that are reset by the client', (stream) => [grpcRequest(stream, LIST, [['token', target.token]]), reset(stream)]],
    [
      'requests that make the server reset them',
      (stream) => [
        request(stream, '/healthz', [], { end: false }),
        frame(windowUpdate, 0, stream, uint32(0x7fffffff)),
        frame(windowUpdate, 0, stream, uint32(1)),
      ],
    ],
  ])('are ended: %s', async (_name, make) => {
    const attempts = 6_000;
    const { text, closed } = await target.attack(async () => {
      const socket = await openHttp2(target);
      const heard = hear(socket, { timeoutMs: 8_000 });
      for (let stream = 1; stream < 2 * attempts && !socket.destroyed; stream += 200) {
        socket.write(Buffer.concat(Array.from({ length: 100 }, (_, index) => make(stream + 2 * index)).flat()));
        await new Promise((resolve) => setImmediate(resolve));
      }
      return heard;
    });
    expect(closed).toBe(true);
    // ENHANCE_YOUR_CALM; INTERNAL_ERROR or FLOW_CONTROL_ERROR where the library itself had enough; or the end before the word.
    expect([11, 2, 3]).toContain(goAwayCodes(text).at(-1) ?? 11);
  });

  it.each<[string, () => Buffer]>([
    ['PING', () => frame(pingType, 0, 0, Buffer.alloc(8))],
    ['SETTINGS', () => frame(settings, 0, 0, Buffer.from([0, 4, 0, 0, 0xff, 0xff]))],
    ['empty SETTINGS', () => NO_SETTINGS],
  ])('of %s are ended', async (_name, make) => {
    const { text, closed } = await target.attack(async () =>
      flood(await openHttp2(target), Buffer.concat(Array.from({ length: 500 }, make)), 2_000_000),
    );
    expect(closed).toBe(true);
    expect(goAwayCodes(text).at(-1) ?? 11).toBe(11);
  });

  it.each<[string, () => Buffer]>([
    ['empty DATA', () => frame(data, 0, 1)],
    ['DATA that is all padding', () => frame(data, Flag.padded, 1, Buffer.concat([Buffer.from([255]), Buffer.alloc(255)]))],
    ['PRIORITY', () => frame(priority, 0, 3, Buffer.alloc(5))],
    ['frames of no known type', () => frame(0xee, 0, 0, Buffer.alloc(100))],
    ['WINDOW_UPDATE', () => frame(windowUpdate, 0, 1, uint32(1))],
    ['GOAWAY', () => frame(goAway, 0, 0, Buffer.alloc(8))],
  ])('of %s do not keep others waiting', async (_name, make) => {
    const latencyMs = await target.attack(async () => {
      const socket = await openHttp2(target);
      socket.resume();
      socket.write(grpcRequest(1, '/session.SessionService/Create'));
      const chunk = Buffer.concat(Array.from({ length: 500 }, make));
      const [, worst] = await Promise.all([pour(socket, chunk, 4_000_000), worstLatencyMs(5)]);
      socket.destroy();
      return worst;
    });
    expect(latencyMs).toBeLessThan(1_000);
  });

  it('of CONTINUATION frames are cut off', async () => {
    const { sent, closed } = await target.attack(async () => {
      const socket = await openHttp2(target);
      const first: Header[] = [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', '/healthz'],
      ];
      socket.write(frame(headers, Flag.endStream, 1, encodeHeaders(first)));
      const piece = frame(continuation, 0, 1, encodeHeaders([['x', 'y'.repeat(100)]]));
      return flood(socket, Buffer.concat(Array.from({ length: 200 }, () => piece)), 20_000_000);
    });
    expect(closed).toBe(true);
    expect(sent).toBeLessThan(5_000_000);
  });

  it('of empty CONTINUATION frames are cut off', async () => {
    const { closed } = await target.attack(async () => {
      const socket = await openHttp2(target);
      socket.write(frame(headers, Flag.endStream, 1, encodeHeaders([[':method', 'GET']])));
      return flood(socket, Buffer.concat(Array.from({ length: 1_000 }, () => frame(continuation, 0, 1))), 2_000_000);
    });
    expect(closed).toBe(true);
  });

  it('of headers are refused: twenty thousand of them, and one that HPACK repeats', async () => {
    const many = Array.from({ length: 20_000 }, (_, index): Header => [`x-${index}`, 'y']);
    // Stored once in the table (0x40), then named again and again by one byte (0xbe).
    const bomb = Buffer.concat([Buffer.from([0x40]), encodeHeaders([['x', 'y'.repeat(3_000)]]).subarray(1), Buffer.alloc(12_000, 0xbe)]);
    const start = encodeHeaders([
      [':method', 'GET'],
      [':scheme', 'http'],
      [':path', '/healthz'],
    ]);
    for (const block of [encodeHeaders(many), bomb]) {
      const { text } = await target.attack(async () => {
        const socket = await openHttp2(target);
        const pieces = [Buffer.concat([start, block.subarray(0, 16_000)]), ...cut(block.subarray(16_000), 16_000)];
        socket.write(
          Buffer.concat(
            pieces.map((piece, index) =>
              frame(
                index === 0 ? headers : continuation,
                (index === 0 ? Flag.endStream : 0) | (index === pieces.length - 1 ? Flag.endHeaders : 0),
                1,
                piece,
              ),
            ),
          ),
        );
        return hear(socket, { timeoutMs: 500 });
      });
      expect(parseFrames(text).filter(({ type, payload }) => type === headers && payload[0] === 0x88)).toEqual([]);
    }
  });

  it('of open streams are held to the announced number', async () => {
    const { text } = await target.attack(async () => {
      const socket = await openHttp2(target);
      const heard = hear(socket, { timeoutMs: 1_500 });
      for (let stream = 1; stream < 20_000 && !socket.destroyed; stream += 200) {
        socket.write(
          Buffer.concat(
            Array.from({ length: 100 }, (_, index) =>
              request(stream + 2 * index, '/api/v1/session', [['content-type', 'application/json']], { method: 'POST', end: false }),
            ),
          ),
        );
        await new Promise((resolve) => setImmediate(resolve));
      }
      return heard;
    });
    const refused = parseFrames(text).filter(({ type, payload }) => type === resetType && payload.readUInt32BE(0) === 7);
    // Each stream beyond is refused, until there were too many of them and the connection is ended.
    expect(refused.length > 0 || goAwayCodes(text).some((code) => code !== 0)).toBe(true);
  });

  it('of answers that nobody takes are bounded', async () => {
    await target.attack(async () => {
      // A window of nothing: no byte of any answer may be sent.
      const socket = await openHttp2(target, frame(settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0])));
      socket.resume();
      const before = await target.level();
      for (let stream = 1; stream < 500; stream += 2) socket.write(request(stream, '/openapi.json'));
      await ping(socket);
      const { memoryMb } = await target.level();
      socket.destroy();
      expect(memoryMb - before.memoryMb).toBeLessThan(64);
    });
  });
});

function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

/** The longest that someone else waits for an answer. */
async function worstLatencyMs(rounds: number): Promise<number> {
  let worst = 0;
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now();
    expect((await fetch(`${target.url}/api/version`)).status).toBe(200);
    worst = Math.max(worst, performance.now() - startMs);
  }
  return worst;
}
