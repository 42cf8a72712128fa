import type { Socket } from 'node:net';
import { open, type Address } from './wire.ts';

/** HTTP/2 by hand, because no client sends what an attacker does. Numbers are those of RFC 9113. */
export const FrameType = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const Flag = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
export const NO_SETTINGS = frame(FrameType.settings, 0, 0);

export type Header = readonly [name: string, value: string];

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** `length` may lie about the payload. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0), length = payload.length): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** HEADERS of a request, complete with its head. */
export function request(
  stream: number,
  path: string,
  headers: readonly Header[] = [],
  options: { method?: string; end?: boolean } = {},
): Buffer {
  const { method = 'GET', end = true } = options;
  const block = encodeHeaders([[':method', method], [':scheme', 'http'], [':authority', 'x'], [':path', path], ...headers]);
  return frame(FrameType.headers, Flag.endHeaders | (end ? Flag.endStream : 0), stream, block);
}

export function grpcRequest(stream: number, path: string, headers: readonly Header[] = []): Buffer {
  return request(stream, path, [['content-type', 'application/grpc'], ['te', 'trailers'], ...headers], { method: 'POST', end: false });
}

export function reset(stream: number, code = 8): Buffer {
  return frame(FrameType.reset, 0, stream, uint32(code));
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** HPACK with literals only. */
export function encodeHeaders(headers: readonly Header[]): Buffer {
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.from([0]), encodeText(name), encodeText(value)]));
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128);
  length.push(rest);
  return Buffer.concat([Buffer.from(length), bytes]);
}

/** A connection that has said hello. */
export async function openHttp2(address: Address, first: Buffer = NO_SETTINGS): Promise<Socket> {
  const socket = await open(address);
  socket.write(Buffer.concat([PREFACE, first]));
  return socket;
}

/** Cuts what was heard into frames; what is left over at the end is dropped. */
export function parseFrames(heard: string): Frame[] {
  const bytes = Buffer.from(heard, 'latin1');
  const frames: Frame[] = [];
  for (let at = 0; at + 9 <= bytes.length;) {
    const end = at + 9 + bytes.readUIntBE(at, 3);
    frames.push({ type: bytes[at + 3]!, flags: bytes[at + 4]!, stream: bytes.readUInt32BE(at + 5), payload: bytes.subarray(at + 9, end) });
    at = end;
  }
  return frames;
}

/** The error codes of the GOAWAY frames that were heard. */
export function goAwayCodes(heard: string): number[] {
  return parseFrames(heard)
    .filter(({ type }) => type === FrameType.goAway)
    .map(({ payload }) => payload.readUInt32BE(4));
}

/** Asks for a sign of life and waits for it: everything sent before has been dealt with then. */
export async function ping(socket: Socket): Promise<void> {
  const body = Buffer.alloc(8, 7);
  const answer = frame(FrameType.ping, Flag.ack, 0, body);
  let heard = Buffer.alloc(0);
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      socket.off('data', onData).off('close', finish);
      resolve();
    };
    const onData = (chunk: Buffer): void => {
      heard = Buffer.concat([heard, chunk]);
      if (heard.includes(answer)) finish();
    };
    socket.on('data', onData).on('close', finish);
    if (socket.destroyed) finish();
    else socket.write(frame(FrameType.ping, 0, 0, body));
  });
}
