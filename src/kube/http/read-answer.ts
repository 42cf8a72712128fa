import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ApiError, Code } from '../../base/index.ts';
import { brokenOff } from './connection-error.ts';

/** An answer that is not read to its end: what was asked for is too much at once. */
export class AnswerTooLarge extends ApiError {
  constructor(address: string, bytesMax: number) {
    super(Code.ResourceExhausted, `the cluster at ${address} sent more than ${bytesMax} bytes in one answer`);
    this.name = 'AnswerTooLarge';
  }
}

/** The whole body, unpacked, at most `bytesMax` of it. */
export async function readAnswer(answer: IncomingMessage, address: string, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of unpacked(answer) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > bytesMax) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ApiError ? error : brokenOff(address, error);
  }
  if (size > bytesMax) {
    answer.destroy();
    throw new AnswerTooLarge(address, bytesMax);
  }
  return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks, size);
}

function unpacked(answer: IncomingMessage): Readable {
  if (answer.headers['content-encoding'] !== 'gzip') return answer;
  // The callback is there so that a failure reaches the reader and nobody else.
  return pipeline(answer, createGunzip(), () => undefined);
}

/** The value of a JSON body. The parser's own message quotes the body, which may hold a Secret, so it is not passed on. */
export function parseAnswer(bytes: Buffer, address: string): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    throw new ApiError(Code.DataLoss, `the cluster at ${address} sent JSON that cannot be read`);
  }
}
