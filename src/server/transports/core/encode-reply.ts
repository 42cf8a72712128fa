import type { JsonObject } from '../../../contract/index.ts';
import { findEncoded } from '../../encoded.ts';
import type { Method } from './method-table.ts';

/** A response as protobuf: the bytes it came with, or its encoding. */
export function encodeProtobuf(method: Method, value: object): Uint8Array {
  checkMessage(value);
  return findEncoded(value)?.protobuf ?? method.output.encode(value as JsonObject);
}

/** A whole response as JSON: the bytes it came with, or its text. */
export function encodeJsonReply(method: Method, value: object): string | Uint8Array {
  checkMessage(value);
  return findEncoded(value)?.jsonBytes ?? encodeJson(method, value);
}

/** A response as JSON text: the text it came with, or its encoding. */
export function encodeJson(method: Method, value: object): string {
  checkMessage(value);
  return findEncoded(value)?.json ?? JSON.stringify(method.output.toJson(value as JsonObject));
}

/** The codec takes nothing for an empty message; a handler that returns nothing has forgotten something. */
function checkMessage(value: unknown): void {
  if (typeof value !== 'object' || value === null) throw new TypeError('the handler returned no message');
}
