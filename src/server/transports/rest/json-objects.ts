import { ApiError, Code } from '../../../base/index.ts';

/** Cuts a body of JSON objects that follow one another into the bytes of each. Checks only where they begin and end. */
export function splitJsonObjects(bytes: Buffer): Buffer[] {
  const objects: Buffer[] = [];
  let depth = 0;
  let start = -1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (start < 0) {
      if (isSpace(byte)) continue;
      if (byte !== 0x7b) throw new ApiError(Code.InvalidArgument, `malformed JSON: expected an object at byte ${at}`);
      start = at;
    }
    if (byte === 0x22) at = endOfString(bytes, at);
    else if (byte === 0x7b || byte === 0x5b) depth++;
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) {
      objects.push(bytes.subarray(start, at + 1));
      start = -1;
    }
  }
  if (start >= 0) throw new ApiError(Code.InvalidArgument, `malformed JSON: the object at byte ${start} does not end`);
  return objects;
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === 0x5c) at++;
    else if (bytes[at] === 0x22) return at;
  }
  return bytes.length;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
