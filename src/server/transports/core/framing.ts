import { ApiError, Code } from '../../../base/index.ts';
import { SHORT_BYTES_MAX } from './exchange.ts';
import { PieceList } from './piece-list.ts';
import { BodyTooLargeError } from './read-body.ts';

/** Flags and length, in front of each message. */
export const PREFIX_BYTES = 5;
export const FLAG_COMPRESSED = 0x01;
/** gRPC-Web: the frame holds trailers. */
export const FLAG_TRAILERS = 0x80;

export interface Frame {
  readonly flags: number;
  readonly payload: Buffer;
}

const NOTHING = new Uint8Array(0);

/** Puts the prefix in front of a message, and `behind` behind it, as one buffer. */
export function encodeFrame(flags: number, payload: Uint8Array, behind: Uint8Array = NOTHING): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + payload.length + behind.length);
  frame[0] = flags;
  frame.writeUInt32BE(payload.length, 1);
  frame.set(payload, PREFIX_BYTES);
  frame.set(behind, PREFIX_BYTES + payload.length);
  return frame;
}

/** A frame in the pieces in which it is best sent. Lists of applications are the same bytes for everybody: a copy for each call fills memory. */
export function frameInPieces(payload: Uint8Array): readonly Uint8Array[] {
  if (payload.length < SHORT_BYTES_MAX) return [encodeFrame(0, payload)];
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(payload.length, 1);
  return [prefix, payload];
}

/** The usual case: a piece that is one frame and nothing else. */
export function readWholeFrame(piece: Buffer, sizeBytesMax: number): Frame | undefined {
  const length = piece.length - PREFIX_BYTES;
  if (length < 0 || length > sizeBytesMax || piece.readUInt32BE(1) !== length) return undefined;
  return { flags: piece[0]!, payload: piece.subarray(PREFIX_BYTES) };
}

/** Cuts frames out of the pieces in which they arrive. A declared length beyond the limit is refused at once. */
export class FrameReader {
  readonly #sizeBytesMax: number;
  readonly #pieces = new PieceList();
  /** Of the frame that is arriving; undefined until its prefix is there. */
  #length: number | undefined;

  constructor(sizeBytesMax: number) {
    this.#sizeBytesMax = sizeBytesMax;
  }

  /** Bytes that belong to a frame that is not complete. */
  get pending(): number {
    return this.#pieces.length;
  }

  push(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#readPrefix();
  }

  /** The next complete frame. */
  next(): Frame | undefined {
    if (this.#length === undefined || this.#pieces.length < PREFIX_BYTES + this.#length) return undefined;
    const all = this.#pieces.join();
    const end = PREFIX_BYTES + this.#length;
    this.#length = undefined;
    this.#pieces.reset(end < all.length ? all.subarray(end) : undefined);
    this.#readPrefix();
    return { flags: all[0]!, payload: all.subarray(PREFIX_BYTES, end) };
  }

  #readPrefix(): void {
    if (this.#length !== undefined || this.#pieces.length < PREFIX_BYTES) return;
    // Nearly always still one piece.
    const length = this.#pieces.join().readUInt32BE(1);
    if (length > this.#sizeBytesMax) throw new BodyTooLargeError(this.#sizeBytesMax);
    this.#length = length;
  }
}

/** A method that takes one message got another number of them. */
export function wrongMessageCount(): ApiError {
  return new ApiError(Code.Unimplemented, 'the method takes exactly one message');
}

export function truncatedMessage(): ApiError {
  return new ApiError(Code.InvalidArgument, 'the request ends in the middle of a message');
}
