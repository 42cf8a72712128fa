import type { ApiError } from '../../../base/index.ts';
import type { ReplyHeaders } from './exchange.ts';
import type { ServerCall } from './server-call.ts';

/** A status message must stay below what clients accept as headers. */
const MESSAGE_CHARACTERS_MAX = 4_000;

/** The status of a call as headers or trailers. */
export function statusHeaders(error: ApiError | undefined): ReplyHeaders {
  if (error === undefined) return { 'grpc-status': '0' };
  return { 'grpc-status': String(error.code), 'grpc-message': encodeStatusMessage(error.message) };
}

/** Percent-encodes what is not printable ASCII, as gRPC wants its status message. */
export function encodeStatusMessage(message: string): string {
  const text = message.length > MESSAGE_CHARACTERS_MAX ? `${message.slice(0, MESSAGE_CHARACTERS_MAX)}…` : message;
  if (/^[\x20-\x24\x26-\x7e]*$/.test(text)) return text;
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** The metadata that a handler set on its call, added to the headers of the answer. */
export function withMetadata(headers: ReplyHeaders, call: ServerCall | undefined): ReplyHeaders {
  if (call?.replyHeaders !== undefined) for (const [name, value] of call.replyHeaders) headers[name] = value;
  return headers;
}
