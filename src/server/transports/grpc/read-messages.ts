import { ApiError, Code } from '../../../base/index.ts';
import type { Exchange } from '../core/exchange.ts';
import { FLAG_COMPRESSED, FrameReader, readWholeFrame, truncatedMessage, wrongMessageCount, type Frame } from '../core/framing.ts';
import { inflate } from '../core/inflate.ts';
import type { BodyRules } from '../core/read-body.ts';

/** The one message of a unary or server-streaming call, out of the pieces in which it arrives. */
export class SingleMessage {
  readonly #sizeBytesMax: number;
  #frame: Frame | undefined;
  /** Made only for a message that arrives in several pieces. */
  #reader: FrameReader | undefined;

  constructor(sizeBytesMax: number) {
    this.#sizeBytesMax = sizeBytesMax;
  }

  push(chunk: Buffer): void {
    if (this.#frame !== undefined) throw wrongMessageCount();
    if (this.#reader === undefined) {
      this.#frame = readWholeFrame(chunk, this.#sizeBytesMax);
      if (this.#frame !== undefined) return;
      this.#reader = new FrameReader(this.#sizeBytesMax);
    }
    this.#reader.push(chunk);
    this.#frame = this.#reader.next();
    // What stands behind it in the same piece would be a second message.
    if (this.#frame !== undefined && this.#reader.pending > 0) throw wrongMessageCount();
  }

  end(): Frame {
    if (this.#frame === undefined) throw (this.#reader?.pending ?? 0) > 0 ? truncatedMessage() : wrongMessageCount();
    return this.#frame;
  }
}

/** Reads the messages of a client-streaming call one by one, no faster than they are asked for. */
export async function* readMessages<Message>(
  exchange: Exchange,
  rules: BodyRules,
  decode: (bytes: Buffer) => Message,
): AsyncGenerator<Message, void, undefined> {
  const reader = new FrameReader(rules.sizeBytesMax);
  let taken = 0;
  try {
    // Who is refused in the middle is told why: the stream that brings the body also takes the answer.
    for await (const chunk of exchange.body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      rules.share.take(chunk.length);
      taken += chunk.length;
      reader.push(chunk);
      for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
        yield await openFrame(exchange, frame, rules, decode);
        rules.share.giveBack(taken - reader.pending);
        taken = reader.pending;
      }
    }
    if (reader.pending > 0) throw truncatedMessage();
  } finally {
    rules.share.giveBack(taken);
  }
}

/** Hands the message in a frame, decompressed where its flag says so, to `use`. */
export async function openFrame<Result>(
  exchange: Exchange,
  frame: Frame,
  rules: BodyRules,
  use: (bytes: Buffer) => Result,
): Promise<Result> {
  if (frame.flags === 0) return use(frame.payload);
  if (frame.flags !== FLAG_COMPRESSED) throw new ApiError(Code.InvalidArgument, `a message has unknown flags ${frame.flags}`);
  const encoding = exchange.header('grpc-encoding');
  if (encoding !== 'gzip') throw new ApiError(Code.Unimplemented, 'messages may be compressed with gzip only');
  return inflate(frame.payload, rules, use);
}
