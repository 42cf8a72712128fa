import type { ReplyHeaders } from '../core/exchange.ts';
import { apiHeaders } from '../core/security-headers.ts';
import type { ServerCall } from '../core/server-call.ts';

/** The headers of a REST answer, with the metadata and cookies that its handler set. */
export function replyHeaders(call: ServerCall | undefined): ReplyHeaders {
  const headers: ReplyHeaders = { 'content-type': 'application/json', ...apiHeaders };
  if (call !== undefined) {
    for (const [name, value] of call.replyHeaders ?? []) headers[`grpc-metadata-${name}`] = value;
    if (call.cookies !== undefined) headers['set-cookie'] = call.cookies;
  }
  return headers;
}
