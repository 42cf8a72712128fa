import { promisify } from 'node:util';
import { createGunzip, gzip, type InputType, type ZlibOptions } from 'node:zlib';
import { ApiError, Code } from '../../../base/index.ts';
import { BodyTooLargeError, type BodyRules } from './read-body.ts';

type InflateRules = Pick<BodyRules, 'sizeBytesMax' | 'share'>;

/** Compresses on zlib's own threads. */
export const compress = promisify<InputType, ZlibOptions, Buffer>(gzip);

/**
 * Decompresses gzip and hands the result to `use`; stops as soon as it is larger than the limit, or takes more memory than
 * bodies may together, however small the input is.
 */
export async function inflate<Result>(bytes: Uint8Array, rules: InflateRules, use: (bytes: Buffer) => Result): Promise<Result> {
  const { sizeBytesMax, share } = rules;
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of createGunzip().end(bytes) as AsyncIterable<Buffer>) {
      if (size + piece.length > sizeBytesMax) throw new BodyTooLargeError(sizeBytesMax);
      share.take(piece.length);
      size += piece.length;
      pieces.push(piece);
    }
    return use(Buffer.concat(pieces, size));
  } catch (error) {
    if (isZlibError(error)) throw new ApiError(Code.InvalidArgument, 'the request is not valid gzip', { cause: error });
    throw error;
  } finally {
    share.giveBack(size);
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}
