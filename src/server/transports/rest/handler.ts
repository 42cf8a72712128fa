import { ApiError, Code } from '../../../base/index.ts';
import type { JsonObject } from '../../../contract/index.ts';

import { sendReply } from '../core/compress-reply.ts';
import type { Core } from '../core/core.ts';
import { encodeJsonReply } from '../core/encode-reply.ts';
import type { Exchange } from '../core/exchange.ts';
import { parseGrpcTimeout } from '../core/grpc-timeout.ts';
import { inflate } from '../core/inflate.ts';
import type { ClientStream, Method } from '../core/method-table.ts';
import type { OpenCallOptions } from '../core/open-call.ts';
import { BodyBytes, BodyTooLargeError, readBody, readWholeBody } from '../core/read-body.ts';
import type { ServerCall } from '../core/server-call.ts';
import { findRestToken } from '../core/token.ts';
import { Turn } from '../core/turn.ts';
import { hasAcceptableContentType } from './content-type.ts';
import { downloadHeaders, endDownloadWithError, fileNameOf, sendDownload } from './download.ts';
import { errorBody, httpStatusOf, streamErrorBody } from './error-body.ts';
import { parseFields, type SelectFields } from './fields.ts';
import { splitJsonObjects } from './json-objects.ts';
import { parseQuery, type QueryParameter } from './query.ts';
import { completeRequest, requestFromBytes } from './read-request.ts';
import { replyHeaders } from './reply-headers.ts';
import { unknownRoute, type RouteMatch, type RouteTable } from './route-table.ts';
import { endStreamWithError, sendStream } from './stream.ts';

/** Clients start a watch from the version of a list, and do not ask for it. */
const ALWAYS_KEPT: Readonly<Record<string, readonly string[]>> = { '/application.ApplicationService/List': ['metadata'] };

/** Answers one REST call. */
export function handleRest(core: Core, routes: RouteTable, exchange: Exchange): void {
  new RestTurn(core, exchange, routes).run();
}

class RestTurn extends Turn {
  readonly #routes: RouteTable;
  #match: RouteMatch | undefined;
  #parameters: readonly QueryParameter[] = [];
  #select: SelectFields | undefined;
  /** Of a stream that is wanted as a file. */
  #fileName: string | undefined;
  #bytes: BodyBytes | undefined;

  constructor(core: Core, exchange: Exchange, routes: RouteTable) {
    super(core, exchange);
    this.#routes = routes;
  }

  protected identify(): OpenCallOptions | undefined {
    const { exchange } = this;
    this.#match = findRoute(this.#routes, exchange);
    if (this.#match === undefined) return undefined;
    const timeoutMs = parseGrpcTimeout(exchange.header('grpc-timeout'));
    return { method: this.#match.route.method, transport: 'rest', token: findRestToken(exchange), timeoutMs };
  }

  protected readRequest(): void {
    this.#readQuery();
    const { exchange } = this;
    if (this.#match!.route.binding.body === null || exchange.bodyless) return this.take(this.#complete({}));
    checkEncoding(exchange);
    const rules = this.chooseRules(this.core.restRules);
    this.#bytes = new BodyBytes(exchange, rules.sizeBytesMax);
    readBody(this.core, exchange, rules, this);
  }

  push(chunk: Buffer): void {
    this.#bytes!.push(chunk);
  }

  end(): Promise<void> | void {
    const bytes = this.#bytes!.join();
    const use = (body: Buffer): void => this.take(this.#complete(requestFromBytes(this.#match!.route, body)));
    if (!isCompressed(this.exchange, bytes)) return use(bytes);
    return inflate(bytes, this.chooseRules(this.core.restRules), use).catch((error: unknown) => this.fail(error));
  }

  /** The messages are JSON objects that follow one another. */
  protected async readRequests(handler: ClientStream): Promise<object> {
    const { core, exchange } = this;
    this.#readQuery();
    checkEncoding(exchange);
    const rules = this.chooseRules(core.restRules);
    const bytes = await readWholeBody(core, exchange, rules);
    const { route } = this.#match!;
    const split = (body: Buffer): JsonObject[] => splitJsonObjects(body).map((object) => this.#complete(requestFromBytes(route, object)));
    const requests = isCompressed(exchange, bytes) ? await inflate(bytes, rules, split) : split(bytes);
    exchange.serve();
    return handler.handle(iterate(requests), this.call);
  }

  protected sendUnary(value: object): Promise<void> | void {
    const { method } = this;
    const json =
      this.#select === undefined ? encodeJsonReply(method, value) : JSON.stringify(this.#select(method.output.toJson(value as JsonObject)));
    return sendReply(this.exchange, 200, replyHeaders(this.call), json);
  }

  protected async sendStream(messages: AsyncIterable<object>): Promise<void> {
    const { core, exchange, call, method } = this;
    const fileName = this.#fileName;
    if (exchange.verb === 'HEAD') return exchange.reply(200, fileName === undefined ? replyHeaders(call) : downloadHeaders(call, fileName));
    if (fileName !== undefined) return sendDownload(core, exchange, { call, fileName, messages });
    return sendStream(core, exchange, { method, call, select: this.#select, messages });
  }

  protected sendFailure(failure: ApiError, call: ServerCall | undefined): void {
    const { exchange } = this;
    if (exchange.started) return (this.#fileName === undefined ? endStreamWithError : endDownloadWithError)(exchange, failure);
    const status = failure instanceof BodyTooLargeError ? 413 : httpStatusOf(failure.code);
    const isStream = this.#match?.route.method.schema.serverStreaming === true;
    exchange.reply(status, replyHeaders(call), isStream ? streamErrorBody(failure) : errorBody(failure));
  }

  #readQuery(): void {
    if (this.exchange.query === '') return;
    this.#parameters = parseQuery(this.exchange.query, this.core.limits.queryParametersMax);
    this.#fileName = fileNameOf(this.method, [...this.#match!.values, ...this.#parameters]);
    const selection = this.#parameters.find(([name]) => name === 'fields')?.[1];
    if (selection === undefined || !takesFields(this.method)) return;
    this.#select = parseFields(selection, ALWAYS_KEPT[this.method.schema.path]);
  }

  #complete(request: JsonObject): JsonObject {
    return completeRequest(this.#match!, this.#parameters, request);
  }
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

function checkEncoding(exchange: Exchange): void {
  const encoding = exchange.header('content-encoding') ?? 'identity';
  if (encoding !== 'gzip' && encoding !== 'identity') throw new ApiError(Code.InvalidArgument, 'the body may be compressed with gzip only');
}

function isCompressed(exchange: Exchange, bytes: Buffer): boolean {
  return bytes.length > 0 && exchange.header('content-encoding') === 'gzip';
}

/** Lists and streams can be large; only there may a client choose the fields it wants. */
function takesFields({ schema }: Method): boolean {
  return schema.serverStreaming || schema.name.startsWith('List') || schema.name === 'ManagedResources';
}

async function* iterate<Item>(items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  yield* items;
}
