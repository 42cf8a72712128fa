import type { Caller } from '../../access/index.ts';
import { adminName, localIssuer } from '../../access/index.ts';
import { ApiError, Code, systemTimers } from '../../base/index.ts';
import type { Clock, Logger, Timers } from '../../base/index.ts';
import type { Reviewer } from '../../embedded/index.ts';
import { statusError } from '../../objects/index.ts';
import { fromHomeError } from '../home-errors.ts';
import type { HttpHandler, HttpReply, HttpRequest } from '../http.ts';
import { recordAudit } from '../record-audit.ts';
import type { Authenticate } from '../transports/core/core.ts';
import type { PlainRoute } from '../transports/plain-routes.ts';
import { aggregatedDiscovery, coreVersions, groupDocument, groupList, resourceList } from './discovery-documents.ts';
import { handleResource, type Write } from './handle-resource.ts';
import { findKubernetesToken } from './find-token.ts';
import { chooseDiscovery } from './negotiate.ts';
import { olderOpenApiDocument, openApiDocument, openApiIndex } from './open-api-documents.ts';
import { parseKubernetesPath } from './parse-path.ts';
import type { KubernetesPath, ResourcePath } from './parse-path.ts';
import { jsonReply, methodNotAllowed, pathNotFound, statusReply, toStatusError } from './replies.ts';
import type { ResourceTarget, ServedApi } from './served-api.ts';
import { whileSignedIn } from './while-signed-in.ts';

const PREFIX = '/k8s';
const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Watches and logs that may be open at once. */
const STREAMS_MAX = 1_000;
const ADMINISTRATORS = 'system:masters';
/** What anybody may ask about themselves. */
const SELF_REVIEWS: ReadonlySet<string> = new Set(['selfsubjectaccessreviews', 'selfsubjectreviews', 'selfsubjectrulesreviews']);

export interface KubernetesRoutesOptions {
  readonly api: ServedApi;
  readonly authenticate: Authenticate;
  readonly clock: Clock;
  readonly timers?: Timers;
  readonly log: Logger;
}

/** A Kubernetes API for `kubectl` and its like, below `/k8s`, with a Fairway token. For the admin alone. */
export function createKubernetesRoutes(options: KubernetesRoutesOptions): readonly PlainRoute[] {
  const handler = createHandler(options);
  return [
    { path: PREFIX, verbs: VERBS, handler },
    { path: `${PREFIX}/*`, verbs: VERBS, handler },
  ];
}

function createHandler({ api, authenticate, clock, timers = systemTimers, log }: KubernetesRoutesOptions): HttpHandler {
  let streams = 0;
  return async (given) => {
    const ended = new AbortController();
    // Only what is read can last.
    const request = given.verb === 'GET' ? withEnd(given, ended.signal) : given;
    const path = parseKubernetesPath(request.path);
    let caller: Caller | undefined;
    let write: Write = {};
    const onWrite = (more: Write): void => void (write = { ...write, ...more });
    try {
      if (path?.kind === 'health') return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' };
      caller = await authenticate(findKubernetesToken(request));
      checkCaller(caller);
      if (path === undefined) throw pathNotFound();
      const reply =
        path.kind === 'resource'
          ? await serveResource({ api, clock, reviewer: reviewerOf(caller, request, authenticate), onWrite }, request, path)
          : await serveDocument(api, request, path);
      record(log, { request, path, caller, write, code: Code.OK });
      if (!isStream(reply.body)) return reply;
      if (streams >= STREAMS_MAX) throw statusError('TooManyRequests', `more than ${STREAMS_MAX} streams are open`);
      streams += 1;
      const isSignedIn = (): Promise<boolean> => isStillAdmin(authenticate, findKubernetesToken(request));
      const body = whileSignedIn(reply.body, { timers, isSignedIn, onEnd: () => ended.abort() });
      return { ...reply, body: counted(body, () => (streams -= 1)) };
    } catch (error) {
      const refusal = toStatusError(error);
      record(log, { request, path, caller, write, code: codeOf(refusal) });
      if (refusal !== undefined) return statusReply(refusal.status);
      log.error('a Kubernetes API request failed unexpectedly', { verb: request.verb, path: request.path, error });
      return statusReply(statusError('InternalError', 'Internal error occurred: see the log of the server').status);
    }
  };
}

/** The same request, which can also be ended from here. */
function withEnd(request: HttpRequest, ended: AbortSignal): HttpRequest {
  const { verb, path, query, headers, remoteAddress, secure } = request;
  return {
    verb,
    path,
    query,
    headers,
    remoteAddress,
    secure,
    get signal() {
      return AbortSignal.any([request.signal, ended]);
    },
    readBody: (sizeBytesMax) => request.readBody(sizeBytesMax),
  };
}

/** Whether a token is still that of the admin. That it could not be found out now is no reason to end anything; it is asked again. */
async function isStillAdmin(authenticate: Authenticate, token: string | undefined): Promise<boolean> {
  try {
    const caller = await authenticate(token);
    return caller !== undefined && isAdmin(caller);
  } catch (error) {
    return !(error instanceof ApiError) || error.code !== Code.Unauthenticated;
  }
}

interface Recorded {
  readonly request: HttpRequest;
  readonly path: KubernetesPath | undefined;
  readonly caller: Caller | undefined;
  readonly write: Write;
  readonly code: Code;
}

/** As for the calls of the API: what changes something, and what is denied. Reviews are posted and change nothing. */
function record(log: Logger, { request: { verb, remoteAddress }, path, caller, write, code }: Recorded): void {
  if (caller === undefined || path?.kind !== 'resource') return;
  const changes = verb !== 'GET' && verb !== 'HEAD' && !path.plural.endsWith('reviews');
  if (!changes && code !== Code.PermissionDenied) return;
  const { kind: _kind, ...named } = { ...path, name: path.name ?? write.name };
  const known = Object.entries(named).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const target = { ...Object.fromEntries(known), ...(write.dryRun === true && { dryRun: true }) };
  recordAudit(log, { caller, call: `${verb} ${PREFIX}`, target, code, transport: 'rest', remoteAddress });
}

function codeOf(refusal: unknown): Code {
  const failure = fromHomeError(refusal);
  return failure instanceof ApiError ? failure.code : Code.Internal;
}

function checkCaller(caller: Caller | undefined): asserts caller is Caller {
  if (caller === undefined) throw statusError('Unauthorized', 'Unauthorized');
  if (!isAdmin(caller)) throw statusError('Forbidden', `user ${JSON.stringify(caller.username)} may not use the Kubernetes API`);
}

function isAdmin({ username, issuer }: Caller): boolean {
  return username === adminName && issuer === localIssuer;
}

/** The caller as a cluster would see them, or whom they ask to be taken for. */
function reviewerOf(caller: Caller, { headers }: HttpRequest, authenticate: Authenticate): Reviewer {
  const username = headers['impersonate-user'];
  const groups = (headers['impersonate-group'] ?? '').split(',').map((group) => group.trim());
  const user = username === undefined ? userOf(caller) : userOf({ username, groups: groups.filter((group) => group !== '') });
  return {
    ...user,
    findUser: async (token) => {
      try {
        const found = await authenticate(token);
        return found && userOf(found);
      } catch (error) {
        if (error instanceof ApiError && error.code === Code.Unauthenticated) return undefined;
        throw error;
      }
    },
  };
}

function userOf({ username, groups, issuer = localIssuer }: Pick<Caller, 'username' | 'groups'> & Partial<Caller>): {
  username: string;
  groups: readonly string[];
} {
  const administrators = username === adminName && issuer === localIssuer ? [ADMINISTRATORS] : [];
  return { username, groups: [...administrators, ...groups, 'system:authenticated'] };
}

interface Serving {
  readonly api: ServedApi;
  readonly clock: Clock;
  readonly reviewer: Reviewer;
  readonly onWrite: (write: Write) => void;
}

async function serveResource({ api, clock, reviewer, onWrite }: Serving, request: HttpRequest, path: ResourcePath): Promise<HttpReply> {
  const { group, version, plural, namespace, name, subresource } = path;
  const { resources } = await api.discover();
  const resource = resources.find((candidate) => candidate.group === group && candidate.version === version && candidate.plural === plural);
  if (resource === undefined || (namespace !== undefined && !resource.namespaced)) throw pathNotFound();
  // An object of a namespaced kind has its namespace in its path.
  if (name !== undefined && namespace === undefined && resource.namespaced) throw pathNotFound();
  const target: ResourceTarget = { resource, namespace, name, subresource };
  if (!reviewer.groups.includes(ADMINISTRATORS) && !SELF_REVIEWS.has(plural))
    throw statusError('Forbidden', `user ${JSON.stringify(reviewer.username)} may not use the Kubernetes API`);
  return handleResource({ api, clock, reviewer, request, query: new URLSearchParams(request.query), target, onWrite });
}

async function serveDocument(api: ServedApi, request: HttpRequest, path: Exclude<KubernetesPath, ResourcePath>): Promise<HttpReply> {
  if (request.verb !== 'GET' && request.verb !== 'HEAD') throw methodNotAllowed();
  if (path.kind === 'version') return jsonReply(JSON.stringify(await api.version()));
  if (path.kind === 'openApi') return openApiDocument(api, path.groupVersion);
  if (path.kind === 'openApiIndex') return jsonReply(JSON.stringify(await openApiIndex(api, PREFIX)));
  if (path.kind === 'openApiV2') return olderOpenApiDocument(api, request.headers['accept']);
  if (path.kind === 'root' || path.kind === 'health')
    return jsonReply(JSON.stringify({ paths: ['/api', '/apis', '/healthz', '/openapi/v2', '/openapi/v3', '/version'] }));
  const { resources } = await api.discover();
  if (path.kind === 'groups') {
    const version = chooseDiscovery(request.headers['accept']);
    if (version === undefined) return jsonReply(JSON.stringify(path.isCore ? coreVersions() : groupList(resources)));
    const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    return jsonReply(JSON.stringify(aggregatedDiscovery(resources, path.isCore, version)), { contentType });
  }
  const document = path.kind === 'group' ? groupDocument(resources, path.group) : resourceList(resources, path.group, path.version);
  if (document === undefined) throw pathNotFound();
  return jsonReply(JSON.stringify(document));
}

function isStream(body: HttpReply['body']): body is AsyncIterable<string | Uint8Array> {
  return body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
}

/** The same stream; `onEnd` is called once when it ends or is let go of. */
function counted<Piece>(pieces: AsyncIterable<Piece>, onEnd: () => void): AsyncIterable<Piece> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = pieces[Symbol.asyncIterator]();
      let isOver = false;
      const finish = (): void => {
        if (!isOver) onEnd();
        isOver = true;
      };
      return {
        next: async () => {
          const result = await iterator.next();
          if (result.done === true) finish();
          return result;
        },
        return: async () => {
          finish();
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
