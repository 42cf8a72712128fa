import { Code } from '../../base/index.ts';
import type { HttpHandler, HttpReply, HttpRequest } from '../http.ts';
import { sendReply } from './core/compress-reply.ts';
import type { Core } from './core/core.ts';
import type { Exchange, ReplyHeaders } from './core/exchange.ts';
import { toApiError } from './core/failure.ts';
import { BodyTooLargeError, readWholeBody } from './core/read-body.ts';
import { securityHeaders } from './core/security-headers.ts';
import { sendPieces } from './core/send-pieces.ts';
import { errorBody, httpStatusOf } from './rest/error-body.ts';

/** A path that is no method of the API: health, metrics, documents, pages. */
export interface PlainRoute {
  /** Exact; or, with `/*` at its end, everything below. */
  readonly path: string;
  /** GET includes HEAD. */
  readonly verbs: readonly string[];
  readonly handler: HttpHandler;
  /** Also below any other path: clients that reach us below one ask for this there too, as they do with gRPC-Web. */
  readonly isBelowAnyRoot?: boolean;
  /** Whether an address may ask only as often as it may call methods without being signed in. */
  readonly isRateLimited?: boolean;
}

export interface PlainRoutes {
  find(path: string): PlainRoute | undefined;
}

export function createPlainRoutes(routes: readonly PlainRoute[]): PlainRoutes {
  const exact = new Map(routes.filter(({ path }) => !path.endsWith('/*')).map((route) => [route.path, route]));
  const below = routes.filter(({ path }) => path.endsWith('/*')).map((route) => ({ prefix: route.path.slice(0, -1), route }));
  const anywhere = routes.filter(({ isBelowAnyRoot }) => isBelowAnyRoot);
  return {
    find: (path) =>
      exact.get(path) ??
      below.find(({ prefix }) => path.startsWith(prefix))?.route ??
      (path.startsWith('/api/') ? undefined : anywhere.find((route) => path.endsWith(route.path))),
  };
}

/** Answers a plain route. Never rejects. */
export async function handlePlainRoute(core: Core, exchange: Exchange, route: PlainRoute): Promise<void> {
  const startMs = performance.now();
  const { request, abort } = toHttpRequest(core, exchange);
  const reply = await runHandler(core, exchange, route, request);
  const { body = '' } = reply;
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    await sendPieces(core, exchange, { status: reply.status, headers: toReplyHeaders(reply), pieces: body, abort });
  else if (!exchange.over) await sendReply(exchange, reply.status, toReplyHeaders(reply), body);
  core.hooks.onRouteFinished({ path: route.path, status: reply.status, durationMs: performance.now() - startMs });
}

async function runHandler(core: Core, exchange: Exchange, route: PlainRoute, request: HttpRequest): Promise<HttpReply> {
  const verb = exchange.verb === 'HEAD' ? 'GET' : exchange.verb;
  if (!route.verbs.includes(verb)) {
    const allow = route.verbs.includes('GET') ? [...route.verbs, 'HEAD'] : route.verbs;
    const body = errorBody({ code: Code.Unimplemented, message: `method ${exchange.verb} is not allowed here` });
    return { status: 405, headers: { 'content-type': 'application/json', allow: allow.join(', ') }, body };
  }
  exchange.serve();
  try {
    if (route.isRateLimited === true) core.anonymousRate.count(exchange.remoteAddress, core.sweeper.nowMs);
    return await route.handler(request);
  } catch (error) {
    const failure = toApiError(core, exchange, error);
    const status = failure instanceof BodyTooLargeError ? 413 : httpStatusOf(failure.code);
    return { status, headers: { 'content-type': 'application/json' }, body: errorBody(failure) };
  }
}

function toReplyHeaders(reply: HttpReply): ReplyHeaders {
  const headers: ReplyHeaders = { ...securityHeaders };
  for (const [name, value] of Object.entries(reply.headers ?? {}))
    headers[name.toLowerCase()] = typeof value === 'string' ? value : [...value];
  return headers;
}

function toHttpRequest(core: Core, exchange: Exchange): { request: HttpRequest; abort: () => void } {
  const { verb, path, query, remoteAddress, secure } = exchange;
  let controller: AbortController | undefined;
  const request: HttpRequest = {
    verb,
    path,
    query,
    remoteAddress,
    secure,
    // Only `set-cookie` can be a list, and no request has it.
    headers: exchange.headers as Readonly<Record<string, string | undefined>>,
    get signal() {
      if (controller === undefined) {
        const made = (controller = new AbortController());
        exchange.onGone(() => made.abort());
      }
      return controller.signal;
    },
    readBody(sizeBytesMax) {
      // The handler keeps the bytes for as long as it likes; the budget bounds only what is still arriving.
      return readWholeBody(core, exchange, { ...core.messageRules.anonymous, sizeBytesMax });
    },
  };
  return { request, abort: () => controller?.abort() };
}
