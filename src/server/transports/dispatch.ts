import { Code, type ApiError } from '../../base/index.ts';
import type { Core } from './core/core.ts';
import type { Exchange } from './core/exchange.ts';
import { apiHeaders } from './core/security-headers.ts';
import { parseWebContentType } from './grpc-web/content-type.ts';
import { handleGrpcWeb } from './grpc-web/handler.ts';
import { isGrpcContentType } from './grpc/content-type.ts';
import { handleGrpc } from './grpc/handler.ts';
import { handlePlainRoute, type PlainRoutes } from './plain-routes.ts';
import { errorBody } from './rest/error-body.ts';
import { handleRest } from './rest/handler.ts';
import { unknownRoute, type RouteTable } from './rest/route-table.ts';

export interface DispatchOptions {
  readonly core: Core;
  readonly restRoutes: RouteTable;
  readonly plainRoutes: PlainRoutes;
}

export type Dispatch = (exchange: Exchange) => void;

/** Hands each request to its transport, told apart by content type and then by path. */
export function createDispatch({ core, restRoutes, plainRoutes }: DispatchOptions): Dispatch {
  const choose = (exchange: Exchange): Promise<void> | void => {
    const contentType = exchange.header('content-type');
    if (contentType?.startsWith('application/grpc')) return handleAnyGrpc(core, exchange, contentType);
    const plain = plainRoutes.find(exchange.path);
    if (plain !== undefined) return handlePlainRoute(core, exchange, plain);
    if (exchange.path.startsWith('/api/')) return handleRest(core, restRoutes, exchange);
    refuse(exchange, 404, unknownRoute(exchange.path));
  };
  const fail = (exchange: Exchange, error: unknown): void => {
    // The transports turn failures into answers; what comes here is a fault of theirs, and costs this request only.
    core.log.error('a transport failed', { path: exchange.path, error });
    exchange.destroy();
  };
  return (exchange) => {
    try {
      choose(exchange)?.catch((error: unknown) => fail(exchange, error));
    } catch (error) {
      fail(exchange, error);
    }
  };
}

function handleAnyGrpc(core: Core, exchange: Exchange, contentType: string): void {
  const form = contentType === 'application/grpc' ? undefined : parseWebContentType(contentType);
  if (form === undefined && !isGrpcContentType(contentType))
    return refuse(exchange, 415, { code: Code.InvalidArgument, message: 'Invalid content type' });
  if (exchange.verb !== 'POST')
    return refuse(exchange, 405, { code: Code.Unimplemented, message: 'gRPC calls are POST requests' }, { allow: 'POST' });
  if (form !== undefined) return handleGrpcWeb(core, exchange, form);
  if (exchange.httpVersion === 1) return refuse(exchange, 415, { code: Code.InvalidArgument, message: 'gRPC needs HTTP/2' });
  return handleGrpc(core, exchange);
}

function refuse(exchange: Exchange, status: number, error: Pick<ApiError, 'code' | 'message'>, headers: { allow?: string } = {}): void {
  exchange.reply(status, { 'content-type': 'application/json', ...apiHeaders, ...headers }, errorBody(error));
}
