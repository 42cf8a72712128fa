import { connect } from 'node:net';
import type { ConnectionOptions, LoadedConnection, LoadRequest } from './load.ts';

const FRAME_HEAD_BYTES = 9;
const TYPE_DATA = 0;
const TYPE_HEADERS = 1;
const TYPE_RST_STREAM = 3;
const TYPE_SETTINGS = 4;
const TYPE_PING = 6;
const TYPE_GOAWAY = 7;
const TYPE_WINDOW_UPDATE = 8;
const FLAG_ACK = 1;
const FLAG_END_STREAM = 1;
const FLAG_END_HEADERS = 4;
/** More than a slot of load receives, so that the window is opened only once. */
const WINDOW_BYTES = 0x3fff_0000;
/** The first place of HPACK's dynamic table. */
const DYNAMIC_INDEX = 62;

/**
 * Many streams over one connection. Frames are written and told apart by hand: the client of node:http2 costs more than the
 * server that is measured.
 */
export function openHttp2(options: ConnectionOptions & { readonly streams: number }): LoadedConnection {
  const { request, port, streams, onAnswer, onFailure } = options;
  const expected = Buffer.from(request.answer);
  const writer = createRequestWriter(request, port);
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const startsMs: number[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let pending = 0;
  let isFinishing = false;
  let isDone = false;
  const ask = (count: number): void => {
    const nowMs = performance.now();
    for (let index = 0; index < count; index++) startsMs.push(nowMs);
    pending += count;
    socket.write(writer(count));
  };
  const fail = (what: string): void => {
    if (!isDone) onFailure(new Error(`${request.path}: ${what}`));
  };
  /** True when the frame completes an answer. */
  const take = (type: number, flags: number, stream: number, payload: Buffer): boolean => {
    if (type === TYPE_DATA && payload.length > 0 && !expected.equals(payload)) fail(`unexpected answer ${payload.toString('latin1')}`);
    if (type === TYPE_RST_STREAM || type === TYPE_GOAWAY) fail(`frame ${type}: ${payload.toString('hex')}`);
    if (type === TYPE_SETTINGS && flags === 0) socket.write(frame(TYPE_SETTINGS, FLAG_ACK, 0, Buffer.alloc(0)));
    if (type === TYPE_PING && flags === 0) socket.write(frame(TYPE_PING, FLAG_ACK, 0, payload));
    const isEnd = (type === TYPE_DATA || type === TYPE_HEADERS) && (flags & FLAG_END_STREAM) !== 0;
    if (isEnd) onAnswer(performance.now() - startsMs[stream >> 1]!);
    return isEnd;
  };
  socket.on('data', (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let position = 0;
    let answers = 0;
    while (bytes.length - position >= FRAME_HEAD_BYTES) {
      const end = position + FRAME_HEAD_BYTES + bytes.readUIntBE(position, 3);
      if (end > bytes.length) break;
      const stream = bytes.readUInt32BE(position + 5);
      if (take(bytes[position + 3]!, bytes[position + 4]!, stream, bytes.subarray(position + FRAME_HEAD_BYTES, end))) answers++;
      position = end;
    }
    rest = bytes.subarray(position);
    pending -= answers;
    if (!isFinishing && answers > 0) return ask(answers);
    if (!isFinishing || pending > 0) return;
    isDone = true;
    socket.destroy();
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', (error) => fail(error.message));
  socket.on('close', () => fail('the server closed the connection'));
  socket.write(openingBytes());
  return {
    opened: new Promise((resolve) => socket.once('data', () => resolve())),
    begin: () => ask(streams),
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

function openingBytes(): Buffer {
  const window = Buffer.alloc(4);
  window.writeUInt32BE(WINDOW_BYTES);
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1'),
    frame(TYPE_SETTINGS, 0, 0, Buffer.alloc(0)),
    frame(TYPE_WINDOW_UPDATE, 0, 0, window),
  ]);
}

/** Writes the frames of so many further requests. */
function createRequestWriter(request: LoadRequest, port: number): (count: number) => Buffer {
  const headers = [
    [':method', request.verb],
    [':scheme', 'http'],
    [':authority', `127.0.0.1:${port}`],
    [':path', request.path],
    ...request.headers,
  ] as const;
  // The first request puts each header into the table of the connection, later ones only name its place there: as clients do.
  const first = Buffer.concat(headers.map(([name, value]) => Buffer.concat([Buffer.of(0x40), literal(name), literal(value)])));
  const later = Buffer.from(headers.map((_, index) => 0x80 | (DYNAMIC_INDEX + headers.length - 1 - index)));
  const build = (block: Buffer): Buffer =>
    Buffer.concat([frame(TYPE_HEADERS, FLAG_END_HEADERS, 0, block), frame(TYPE_DATA, FLAG_END_STREAM, 0, Buffer.from(request.body))]);
  const template = build(later);
  const dataAt = FRAME_HEAD_BYTES + later.length;
  let nextStream = 1;
  const stamp = (bytes: Buffer, at: number, dataOffset: number): void => {
    bytes.writeUInt32BE(nextStream, at + 5);
    bytes.writeUInt32BE(nextStream, at + dataOffset + 5);
    nextStream += 2;
  };
  return (count) => {
    const pieces: Buffer[] = [];
    if (nextStream === 1) {
      const opening = build(first);
      stamp(opening, 0, FRAME_HEAD_BYTES + first.length);
      pieces.push(opening);
    }
    const many = Buffer.alloc(template.length * (count - pieces.length));
    for (let at = 0; at < many.length; at += template.length) {
      template.copy(many, at);
      stamp(many, at, dataAt);
    }
    return Buffer.concat([...pieces, many]);
  };
}

/** A text of HPACK without Huffman coding. */
function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.of(bytes.length), bytes]);
  const more = bytes.length - 127;
  const length = more < 128 ? [127, more] : [127, 0x80 | (more & 0x7f), more >> 7];
  return Buffer.concat([Buffer.from(length), bytes]);
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
