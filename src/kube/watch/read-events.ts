import type { IncomingMessage } from 'node:http';
import { ApiError, Code } from '../../base/index.ts';
import { decodeEvent } from '../decode-object.ts';
import type { DecodeOptions } from '../decode-object.ts';
import { brokenOff, parseAnswer } from '../http/index.ts';
import type { WatchEvent } from '../kube-api.ts';
import { createLineSplitter } from './split-lines.ts';

export interface ReadEventsOptions extends DecodeOptions {
  readonly eventBytesMax: number;
}

/**
 * The events of a watch, one for each line. An answer that ends in the middle of a line was cut: that is a failure of the
 * connection, and the half line is not an event.
 */
export async function* readEvents(answer: IncomingMessage, options: ReadEventsOptions): AsyncGenerator<WatchEvent, void, void> {
  const { address, eventBytesMax } = options;
  const splitter = createLineSplitter();
  for await (const chunk of chunksOf(answer, address)) {
    for (const line of splitter.push(chunk)) yield decodeEvent(parseAnswer(line, address), options);
    if (splitter.pendingBytes() > eventBytesMax) {
      throw new ApiError(Code.ResourceExhausted, `the cluster at ${address} sent an event of more than ${eventBytesMax} bytes`);
    }
  }
  if (splitter.pendingBytes() > 0) throw brokenOff(address);
}

/** The bytes of an answer as they come; the reader's pace is the sender's. */
export async function* chunksOf(answer: IncomingMessage, address: string): AsyncGenerator<Buffer, void, void> {
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw error instanceof ApiError ? error : brokenOff(address, error);
  }
}
