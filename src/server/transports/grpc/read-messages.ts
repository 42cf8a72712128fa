import { ApiError, Code } from '../../../base/index.ts';
import type { Core } from '../core/core.ts';
import type { Exchange } from '../core/exchange.ts';
import { FLAG_COMPRESSED, FrameReader, truncatedMessage, wrongMessageCount, type Frame } from '../core/framing.ts';
import { inflate } from '../core/inflate.ts';
import { readBody, type BodyRules, type Executor } from '../core/read-body.ts';

/** Reads the one message of a unary or server-streaming call, and hands its bytes to `decode`. */
export function readSingleMessage<Message>(
  core: Core,
  exchange: Exchange,
  rules: BodyRules,
  decode: (bytes: Buffer) => Message,
): Executor<Message> {
  const reader = new FrameReader(rules.sizeBytesMax);
  let frame: Frame | undefined;
  return readBody(core, exchange, rules, {
    push(chunk) {
      reader.push(chunk);
      const next = reader.next();
      if (next === undefined) return;
      if (frame !== undefined) throw wrongMessageCount();
      frame = next;
      // What stands behind it in the same piece would be a second message.
      if (reader.pending > 0) throw wrongMessageCount();
    },
    end() {
      if (frame === undefined) throw reader.pending > 0 ? truncatedMessage() : wrongMessageCount();
      return frame.flags === 0 ? decode(frame.payload) : openFrame(exchange, frame, rules, decode);
    },
  });
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
    for await (const chunk of exchange.body as AsyncIterable<Buffer>) {
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
  const encoding = exchange.headers['grpc-encoding'];
  if (encoding !== 'gzip') throw new ApiError(Code.Unimplemented, 'messages may be compressed with gzip only');
  return inflate(frame.payload, rules, use);
}
