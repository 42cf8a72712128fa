import { ApiError, Code } from '../../../base/index.ts';
import { parseJsonText, type JsonObject } from '../../../contract/index.ts';
import type { Core } from '../core/core.ts';
import type { Exchange } from '../core/exchange.ts';
import { inflate } from '../core/inflate.ts';
import { bodyRules, readWholeBody } from '../core/read-body.ts';
import { bindText, findTarget } from './bind-value.ts';
import { requestFromBody } from './body.ts';
import { splitJsonObjects } from './json-objects.ts';
import { bindQuery, type QueryParameter } from './query.ts';
import type { RouteMatch } from './route-table.ts';

export interface RequestParts {
  readonly match: RouteMatch;
  readonly parameters: readonly QueryParameter[];
  readonly signedIn: boolean;
}

/** The one request message of a call: body, then query for what is left, and above all the path. */
export async function readRequest(core: Core, exchange: Exchange, parts: RequestParts): Promise<JsonObject> {
  const { route } = parts.match;
  const hasBody = route.binding.body !== null && !exchange.bodyless;
  const request = hasBody ? await useBody(core, exchange, parts, (bytes) => fromBytes(parts, bytes)) : {};
  return complete(parts, request);
}

/** The request messages of a client-streaming call: JSON objects that follow one another. */
export async function readRequests(core: Core, exchange: Exchange, parts: RequestParts): Promise<JsonObject[]> {
  return useBody(core, exchange, parts, (bytes) => splitJsonObjects(bytes).map((object) => complete(parts, fromBytes(parts, object))));
}

function fromBytes({ match }: RequestParts, bytes: Buffer): JsonObject {
  const isEmpty = bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
  return isEmpty ? {} : requestFromBody(match.route.method.input, match.route.binding, parseJsonText(bytes));
}

function complete({ match, parameters }: RequestParts, request: JsonObject): JsonObject {
  const { route, values } = match;
  const { input } = route.method;
  if (parameters.length === 0 && values.length === 0) return request;
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

async function useBody<Result>(core: Core, exchange: Exchange, parts: RequestParts, use: (bytes: Buffer) => Result): Promise<Result> {
  const rules = bodyRules(core, parts.signedIn, core.limits.restBodyBytesMax);
  const encoding = exchange.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'gzip' && encoding !== 'identity') throw new ApiError(Code.InvalidArgument, 'the body may be compressed with gzip only');
  const body = await readWholeBody(core, exchange, rules);
  try {
    return use(encoding === 'gzip' && body.bytes.length > 0 ? await inflate(body.bytes, rules.sizeBytesMax) : body.bytes);
  } finally {
    body.release();
  }
}
