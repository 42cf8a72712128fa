import { Code, type ApiError } from '../../../base/index.ts';
import type { JsonObject } from '../../../contract/index.ts';

import { sendReply } from '../core/compress-reply.ts';
import type { Core } from '../core/core.ts';
import { encodeJson } from '../core/encode-reply.ts';
import type { Exchange } from '../core/exchange.ts';
import { toApiError } from '../core/failure.ts';
import { parseGrpcTimeout } from '../core/grpc-timeout.ts';
import { notImplemented, type Method } from '../core/method-table.ts';
import { openCall } from '../core/open-call.ts';
import { BodyTooLargeError } from '../core/read-body.ts';
import type { ServerCall } from '../core/server-call.ts';
import { findRestToken } from '../core/token.ts';
import { hasAcceptableContentType } from './content-type.ts';
import { errorBody, httpStatusOf, streamErrorBody } from './error-body.ts';
import { parseFields, type SelectFields } from './fields.ts';
import { parseQuery } from './query.ts';
import { readRequest, readRequests, type RequestParts } from './read-request.ts';
import { replyHeaders } from './reply-headers.ts';
import { unknownRoute, type RouteMatch, type RouteTable } from './route-table.ts';
import { endStreamWithError, sendStream } from './stream.ts';

/** Clients start a watch from the version of a list, and do not ask for it. */
const ALWAYS_KEPT: Readonly<Record<string, readonly string[]>> = { '/application.ApplicationService/List': ['metadata'] };

/** Answers one REST call. Never rejects: whatever goes wrong becomes the answer. */
export async function handleRest(core: Core, routes: RouteTable, exchange: Exchange): Promise<void> {
  let call: ServerCall | undefined;
  let failure: ApiError | undefined;
  let match: RouteMatch | undefined;
  try {
    match = findRoute(routes, exchange);
    if (match === undefined) return;
    const { method } = match.route;
    const token = findRestToken(exchange.headers);
    const timeoutMs = parseGrpcTimeout(exchange.headers['grpc-timeout']);
    const opened = openCall(core, exchange, { method, transport: 'rest', token, timeoutMs });
    call = opened instanceof Promise ? await opened : opened;
    await answer(core, exchange, match, call);
  } catch (error) {
    failure = toApiError(core, exchange, error);
    sendFailure(exchange, call, failure, match?.route.method.schema.serverStreaming === true);
  }
  call?.finish(failure?.code ?? Code.OK);
}

/** Undefined when the request was refused here. */
function findRoute(routes: RouteTable, exchange: Exchange): RouteMatch | undefined {
  const match = routes.match(exchange.verb === 'HEAD' ? 'GET' : exchange.verb, exchange.path);
  if (!('route' in match)) {
    if (match.length === 0) throw unknownRoute(exchange.path);
    const allowed: string[] = [...match];
    if (allowed.includes('GET')) allowed.push('HEAD');
    const refusal = { code: Code.Unimplemented, message: `method ${exchange.verb} is not allowed here` };
    exchange.reply(405, { ...replyHeaders(undefined), allow: allowed.join(', ') }, errorBody(refusal));
    return undefined;
  }
  if (hasAcceptableContentType(exchange)) return match;
  exchange.reply(415, replyHeaders(undefined), errorBody({ code: Code.InvalidArgument, message: 'Invalid content type' }));
  return undefined;
}

async function answer(core: Core, exchange: Exchange, match: RouteMatch, call: ServerCall): Promise<void> {
  const { method } = match.route;
  const { handler } = method;
  if (handler === undefined) throw notImplemented(method);
  const parameters = parseQuery(exchange.query, core.limits.queryParametersMax);
  const parts: RequestParts = { match, parameters };
  const selection = parameters.find(([name]) => name === 'fields')?.[1];
  const select = selection !== undefined && takesFields(method) ? parseFields(selection, ALWAYS_KEPT[method.schema.path]) : undefined;
  if (handler.kind === 'client-stream') {
    const requests = await readRequests(core, exchange, call, parts);
    exchange.serve();
    return sendUnary(exchange, method, call, await call.settle(handler.handle(iterate(requests), call)), select);
  }
  const read = readRequest(core, exchange, call, parts);
  const request = read instanceof Promise ? await read : read;
  exchange.serve();
  if (handler.kind === 'unary') return sendUnary(exchange, method, call, await call.settle(handler.handle(request, call)), select);
  if (exchange.verb === 'HEAD') return exchange.reply(200, replyHeaders(call));
  return sendStream(core, exchange, { method, call, select, messages: handler.handle(request, call) });
}

function sendUnary(
  exchange: Exchange,
  method: Method,
  call: ServerCall,
  value: object,
  select: SelectFields | undefined,
): void | Promise<void> {
  const json = select === undefined ? encodeJson(method, value) : JSON.stringify(select(method.output.toJson(value as JsonObject)));
  if (!exchange.over) return sendReply(exchange, 200, replyHeaders(call), json);
}

function sendFailure(exchange: Exchange, call: ServerCall | undefined, failure: ApiError, isStream: boolean): void {
  if (exchange.over) return;
  if (exchange.started) return endStreamWithError(exchange, failure);
  const status = failure instanceof BodyTooLargeError ? 413 : httpStatusOf(failure.code);
  exchange.reply(status, replyHeaders(call), isStream ? streamErrorBody(failure) : errorBody(failure));
}

/** Lists and streams can be large; only there may a client choose the fields it wants. */
function takesFields({ schema }: Method): boolean {
  return schema.serverStreaming || schema.name.startsWith('List') || schema.name === 'ManagedResources';
}

async function* iterate<Item>(items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  yield* items;
}
