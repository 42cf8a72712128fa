import type { ApiError } from '../../../base/index.ts';
import type { Exchange } from '../core/exchange.ts';
import { statusHeaders, withMetadata } from '../core/grpc-status.ts';
import type { ServerCall } from '../core/server-call.ts';

/** In the head when nothing was sent yet (trailers only), in the trailers otherwise. */
export function sendFailure(exchange: Exchange, failure: ApiError, call: ServerCall | undefined): void {
  if (exchange.started) exchange.end(statusHeaders(failure));
  else exchange.reply(200, withMetadata({ 'content-type': 'application/grpc', ...statusHeaders(failure) }, call));
}
