import { promisify } from 'node:util';
import { gunzip, gzip, type InputType, type ZlibOptions } from 'node:zlib';
import { ApiError, Code } from '../../../base/index.ts';
import { BodyTooLargeError } from './read-body.ts';

const gunzipAsync = promisify<InputType, ZlibOptions, Buffer>(gunzip);

/** Compresses on zlib's own threads. */
export const compress = promisify<InputType, ZlibOptions, Buffer>(gzip);

/** Decompresses gzip; stops as soon as the result is larger than the limit, however small the input is. */
export async function inflate(bytes: Uint8Array, sizeBytesMax: number): Promise<Buffer> {
  try {
    return await gunzipAsync(bytes, { maxOutputLength: sizeBytesMax });
  } catch (error) {
    if (error instanceof RangeError) throw new BodyTooLargeError(sizeBytesMax);
    throw new ApiError(Code.InvalidArgument, 'the request is not valid gzip', { cause: error });
  }
}
