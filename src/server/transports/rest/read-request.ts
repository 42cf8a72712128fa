import { ApiError, Code } from '../../../base/index.ts';
import { parseJsonText, type FieldSchema, type JsonObject } from '../../../contract/index.ts';
import type { Core } from '../core/core.ts';
import type { Exchange } from '../core/exchange.ts';
import { inflate } from '../core/inflate.ts';
import { bodyRules, readWholeBody, type Executor } from '../core/read-body.ts';
import type { ServerCall } from '../core/server-call.ts';
import { bindText, findField, findTarget } from './bind-value.ts';
import { requestFromBody } from './body.ts';
import { splitJsonObjects } from './json-objects.ts';
import { bindQuery, type QueryParameter } from './query.ts';
import type { Route, RouteMatch } from './route-table.ts';

export interface RequestParts {
  readonly match: RouteMatch;
  readonly parameters: readonly QueryParameter[];
}

/** The one request message of a call: body, then query for what is left, and above all the path. At once when there is no body. */
export function readRequest(core: Core, exchange: Exchange, call: ServerCall, parts: RequestParts): Promise<JsonObject> | JsonObject {
  if (parts.match.route.binding.body === null || exchange.bodyless) return complete(parts, {});
  return call.wait(useBody(core, exchange, call, (bytes) => complete(parts, fromBytes(parts, bytes))));
}

/** The request messages of a client-streaming call: JSON objects that follow one another. */
export function readRequests(core: Core, exchange: Exchange, call: ServerCall, parts: RequestParts): Promise<JsonObject[]> {
  const split = (bytes: Buffer): JsonObject[] => splitJsonObjects(bytes).map((object) => complete(parts, fromBytes(parts, object)));
  return call.wait(useBody(core, exchange, call, split));
}

function fromBytes({ match }: RequestParts, bytes: Buffer): JsonObject {
  const isEmpty = bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
  return isEmpty ? {} : requestFromBody(match.route.method.input, match.route.binding, parseJsonText(bytes));
}

function complete({ match, parameters }: RequestParts, request: JsonObject): JsonObject {
  const { route, values } = match;
  const { input } = route.method;
  if (parameters.length === 0) {
    const fields = plainFieldsOf(route);
    if (fields !== undefined) return setTexts(request, fields, values);
  }
  const { body } = route.binding;
  bindQuery(
    input.schema,
    request,
    parameters,
    (name) => route.variables.includes(name) || (body !== null && (name === body || name.startsWith(`${body}.`))),
  );
  for (const [field, value] of values) {
    const target = findTarget(input.schema, request, field);
    if (target !== undefined) bindText(target, field, value, true);
  }
  // Once more through the codec, which checks what a text alone does not show.
  return input.fromJson(request);
}

const plainFields = new WeakMap<Route, readonly FieldSchema[] | null>();

/** The fields that a path's variables fill, where each is a text of the request itself, as it is on most routes. */
function plainFieldsOf(route: Route): readonly FieldSchema[] | undefined {
  let fields = plainFields.get(route);
  if (fields === undefined) {
    const found = route.variables.map((name) => findField(route.method.input.schema, name));
    fields = found.every(isPlainText) ? found : null;
    plainFields.set(route, fields);
  }
  return fields ?? undefined;
}

function isPlainText(field: FieldSchema | undefined): field is FieldSchema {
  return field !== undefined && field.type.kind === 'scalar' && field.type.scalar === 'string' && !field.repeated;
}

/** A text needs no second look by the codec. */
function setTexts(request: JsonObject, fields: readonly FieldSchema[], values: RouteMatch['values']): JsonObject {
  for (const [index, field] of fields.entries()) {
    const text = values[index]![1];
    if (text === '' && field.presence === 'implicit') delete request[field.name];
    else request[field.name] = text;
  }
  return request;
}

function useBody<Result>(core: Core, exchange: Exchange, call: ServerCall, use: (bytes: Buffer) => Result): Executor<Result> {
  const rules = bodyRules(core, call.caller !== undefined, core.limits.restBodyBytesMax);
  const encoding = exchange.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'gzip' && encoding !== 'identity') throw new ApiError(Code.InvalidArgument, 'the body may be compressed with gzip only');
  return readWholeBody(core, exchange, rules, (bytes) =>
    encoding === 'gzip' && bytes.length > 0 ? inflate(bytes, rules, use) : use(bytes),
  );
}
