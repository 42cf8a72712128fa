import { randomBytes } from 'node:crypto';
import { ApiError, Code } from '../../base/index.ts';

/** RFC 6455. */
export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface WebSocketMessage {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A frame as a client sends it: whole, and masked with numbers that nobody can foresee. */
export function encodeFrame(opcode: number, payload: Uint8Array): Buffer {
  const length = payload.length;
  const extended = length < 126 ? 0 : length < 1 << 16 ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + extended + 4 + length);
  frame[0] = 0x80 | opcode;
  frame[1] = 0x80 | (extended === 0 ? length : extended === 2 ? 126 : 127);
  if (extended === 2) frame.writeUInt16BE(length, 2);
  if (extended === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  mask.copy(frame, 2 + extended);
  const start = 6 + extended;
  for (let at = 0; at < length; at += 1) frame[start + at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0);
  return frame;
}

export interface FrameDecoder {
  /** The messages that are complete now; those sent in parts are put together. */
  push(chunk: Buffer): WebSocketMessage[];
}

interface FrameHead {
  readonly isFinal: boolean;
  readonly opcode: number;
  readonly start: number;
  readonly end: number;
}

/** Reads what a server sends. Throws where it breaks the rules or sends a message of more than `messageBytesMax`. */
export function createFrameDecoder(messageBytesMax: number): FrameDecoder {
  let pending: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let partsBytes = 0;
  let partsOpcode: number | undefined;

  function takeFrame(head: FrameHead, payload: Buffer): WebSocketMessage | undefined {
    if (head.opcode >= Opcode.close) {
      if (!head.isFinal || payload.length > 125) throw broken('a control frame in parts');
      return { opcode: head.opcode, payload };
    }
    const isContinuation = head.opcode === Opcode.continuation;
    if (isContinuation !== (partsOpcode !== undefined)) throw broken('parts of messages in disorder');
    const opcode = partsOpcode ?? head.opcode;
    if (head.isFinal && !isContinuation) return { opcode, payload };
    parts.push(payload);
    partsBytes += payload.length;
    if (partsBytes > messageBytesMax) throw tooLarge(messageBytesMax);
    partsOpcode = opcode;
    if (!head.isFinal) return undefined;
    const message = { opcode, payload: Buffer.concat(parts) };
    parts = [];
    partsBytes = 0;
    partsOpcode = undefined;
    return message;
  }

  return {
    push: (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const messages: WebSocketMessage[] = [];
      for (let head = readHead(pending, messageBytesMax); head && head.end <= pending.length; head = readHead(pending, messageBytesMax)) {
        const message = takeFrame(head, pending.subarray(head.start, head.end));
        pending = pending.subarray(head.end);
        if (message) messages.push(message);
      }
      return messages;
    },
  };
}

function readHead(bytes: Buffer, messageBytesMax: number): FrameHead | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  if ((first & 0x70) !== 0) throw broken('a frame with an extension that was not agreed on');
  if ((second & 0x80) !== 0) throw broken('a masked frame');
  const short = second & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (length > messageBytesMax) throw tooLarge(messageBytesMax);
  return { isFinal: (first & 0x80) !== 0, opcode: first & 0x0f, start, end: start + length };
}

function broken(what: string): ApiError {
  return new ApiError(Code.DataLoss, `the cluster sent ${what}`);
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError(Code.ResourceExhausted, `the cluster sent a message of more than ${bytesMax} bytes`);
}
