import type { ApiError } from '../../../base/index.ts';
import { encodeFrame, FLAG_TRAILERS } from '../core/framing.ts';
import { statusHeaders } from '../core/grpc-status.ts';

const SUCCESS = encodeTrailers(undefined);

/** The status as the last frame of the body. */
export function trailerFrame(failure: ApiError | undefined): Buffer {
  return failure === undefined ? SUCCESS : encodeTrailers(failure);
}

function encodeTrailers(failure: ApiError | undefined): Buffer {
  const lines = Object.entries(statusHeaders(failure)).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return encodeFrame(FLAG_TRAILERS, Buffer.from(lines.join(''), 'latin1'));
}
