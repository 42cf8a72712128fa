import { ApiError, Code } from '../base/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import { isJsonObject } from '../objects/index.ts';
import type { JsonObject, KubeObject, Status } from '../objects/index.ts';
import type { Credentials } from './credentials/index.ts';
import { decodeList, decodeObject, unexpected } from './decode-object.ts';
import { createDiscoverer } from './discovery/discover.ts';
import { createOpenApiReader } from './discovery/open-api.ts';
import { execInPod } from './exec/index.ts';
import type { ExecOptions, ExecSession } from './exec/index.ts';
import { createTransport, DEFAULT_LIMITS, onlyReading, parseAnswer, readAnswer } from './http/index.ts';
import type { KubeLimits, Transport, TransportRequest } from './http/index.ts';
import type {
  DeleteOptions,
  KubeApi,
  ListOptions,
  LogOptions,
  ObjectList,
  ObjectRef,
  Patch,
  ResourceType,
  WriteOptions,
} from './kube-api.ts';
import { createPageLister, listPages } from './list-pages.ts';
import { resourcePath, withQuery } from './resource-path.ts';
import type { Query, ResourcePlace } from './resource-path.ts';
import { chunksOf, openWatch } from './watch/index.ts';

const POD: ResourceType = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };

const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const satisfies Record<Patch['type'], string>;

export interface HttpKubeApiOptions {
  readonly server: string;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly log: Logger;
  readonly userAgent: string;
  readonly limits?: Partial<KubeLimits>;
  /** Whether everything but reading is refused, without asking the cluster. */
  readonly readOnly?: boolean;
  /** What exec plugins inherit, where the credentials name one. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** A Kubernetes API over the network. */
export interface HttpKubeApi extends KubeApi {
  /** Runs a program in a pod's container. */
  exec(ref: ObjectRef, options: ExecOptions): Promise<ExecSession>;
  /** Ends every call and every connection. */
  close(): Promise<void>;
}

export function createHttpKubeApi(options: HttpKubeApiOptions): HttpKubeApi {
  const limits: KubeLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const given = createTransport({ ...options, limits });
  const transport = options.readOnly === true ? onlyReading(given) : given;
  const verbsOf = (of: Transport): KubeApi => ({
    ...createInquiries(of, limits, options),
    ...createReads(of, limits, options),
    ...createWrites(of, limits),
  });
  return {
    ...verbsOf(transport),
    // Whoever is somebody else already cannot become a third: the headers of one would stand in the place of the other's.
    ...(options.credentials.impersonation === undefined && {
      asUser: (username: string) => verbsOf(impersonating(transport, username)),
    }),
    exec: (ref, execOptions) => execInPod(transport, limits, ref, execOptions),
    close: () => {
      transport.close();
      return Promise.resolve();
    },
  };
}

/** The same connections, with requests in the name of somebody else. */
function impersonating(transport: Transport, username: string): Transport {
  const named = (request: TransportRequest): TransportRequest => ({
    ...request,
    headers: { ...request.headers, 'impersonate-user': username },
  });
  return {
    ...transport,
    call: (request, read) => transport.call(named(request), read),
    stream: (request) => transport.stream(named(request)),
    upgrade: (request) => transport.upgrade(named(request)),
  };
}

/** What a cluster says of itself. */
function createInquiries(
  transport: Transport,
  limits: KubeLimits,
  { clock }: { clock: Clock },
): Pick<KubeApi, 'discover' | 'openApi' | 'openApiHashes' | 'version'> {
  const get = (path: string, accept = 'application/json', signal?: AbortSignal): Promise<JsonObject> =>
    callJson(transport, limits, {
      method: 'GET',
      path,
      headers: { accept, 'accept-encoding': 'gzip' },
      safe: true,
      limitMs: limits.getMs,
      signal,
    });
  return {
    discover: createDiscoverer({ get, clock }),
    ...createOpenApiReader({ get, clock }),
    version: ({ signal } = {}) => get('/version', 'application/json', signal),
  };
}

function createReads(
  transport: Transport,
  limits: KubeLimits,
  { clock, credentials }: Pick<HttpKubeApiOptions, 'clock' | 'credentials'>,
): Pick<KubeApi, 'get' | 'list' | 'watch' | 'logs'> {
  const { address } = transport;
  const headers: Record<string, string> = credentials.disableCompression ? {} : { 'accept-encoding': 'gzip' };

  async function listOnce(type: ResourceType, options: ListOptions): Promise<ObjectList> {
    const path = withQuery(resourcePath(type, { namespace: options.namespace }), selection(options));
    const answer = await callJson(transport, limits, {
      method: 'GET',
      path,
      headers,
      safe: true,
      limitMs: limits.listMs,
      signal: options.signal,
    });
    return decodeList(answer, type, { address, keepManagedFields: options.keepManagedFields });
  }

  const listPage = createPageLister(listOnce, clock);
  return {
    get: async (type, ref, { subresource, signal, urgent, keepManagedFields } = {}) => {
      const path = resourcePath(type, { ...ref, subresource });
      const request = { method: 'GET', path, headers, safe: true, limitMs: limits.getMs, urgent, signal };
      const answer = await callJson(transport, limits, request);
      return decodeObject(answer, { address, keepManagedFields });
    },
    list: async (type, options = {}) =>
      options.limit === undefined && options.continue === undefined
        ? await listPages(options, limits.pageSize, (page) => listPage(type, page))
        : await listPage(type, options),
    watch: (type, options = {}) => openWatch(transport, limits, type, options),
    logs: (ref, options = {}) => readLogs(transport, limits, ref, options),
  };
}

async function* readLogs(
  transport: Transport,
  limits: KubeLimits,
  ref: ObjectRef,
  options: LogOptions,
): AsyncGenerator<Uint8Array, void, void> {
  const { signal, ...query } = options;
  const path = withQuery(resourcePath(POD, { ...ref, subresource: 'log' }), query);
  const stream = await transport.stream({
    method: 'GET',
    path,
    headers: { accept: '*/*' },
    safe: true,
    limitMs: limits.streamStartMs,
    signal,
  });
  try {
    yield* chunksOf(stream.answer, transport.address);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    stream.close();
  }
}

function createWrites(
  transport: Transport,
  limits: KubeLimits,
): Pick<KubeApi, 'create' | 'update' | 'patch' | 'delete' | 'deleteCollection'> {
  async function write(
    request: Pick<TransportRequest, 'method' | 'path' | 'headers' | 'body'>,
    { keepManagedFields, urgent, signal }: WriteOptions,
  ): Promise<KubeObject> {
    const answer = await callJson(transport, limits, { ...request, safe: false, limitMs: limits.writeMs, urgent, signal });
    return decodeObject(answer, { address: transport.address, keepManagedFields });
  }

  async function remove(path: string, options: DeleteOptions): Promise<KubeObject | Status> {
    const request = {
      method: 'DELETE',
      path,
      ...jsonBody(deleteBody(options)),
      signal: options.signal,
      safe: false,
      limitMs: limits.writeMs,
    };
    const answer = await callJson(transport, limits, request);
    return answer['kind'] === 'Status'
      ? (answer as unknown as Status)
      : decodeObject(answer, { address: transport.address, keepManagedFields: false });
  }

  return {
    create: (type, object, options = {}) => {
      const { namespace, name } = placeOf(type, object);
      // An object is created in its collection; a subresource such as a token or an eviction at its owner.
      const place: ResourcePlace =
        options.subresource === undefined ? { namespace } : { namespace, name, subresource: options.subresource };
      const path = withQuery(resourcePath(type, place), writeQuery(options));
      return write({ method: 'POST', path, ...jsonBody(object) }, options);
    },
    update: (type, object, options = {}) => {
      const { namespace, name } = placeOf(type, object);
      if (name === undefined) throw new ApiError(Code.InvalidArgument, `${type.kind}: an update needs a name`);
      const path = withQuery(resourcePath(type, { namespace, name, subresource: options.subresource }), writeQuery(options));
      return write({ method: 'PUT', path, ...jsonBody(object) }, options);
    },
    patch: (type, ref, patch, options = {}) => {
      const force = patch.type === 'apply' && patch.force === true;
      const path = withQuery(resourcePath(type, { ...ref, subresource: options.subresource }), { ...writeQuery(options), force });
      const body = patch.type === 'json' ? patch.operations : patch.body;
      return write({ method: 'PATCH', path, ...jsonBody(body, PATCH_TYPES[patch.type]) }, options);
    },
    delete: (type, ref, options = {}) => remove(resourcePath(type, ref), options),
    deleteCollection: async (type, chosen, options = {}) => {
      await remove(withQuery(resourcePath(type, { namespace: chosen.namespace }), selection(chosen)), {
        ...options,
        ...(chosen.signal && { signal: chosen.signal }),
      });
    },
  };
}

async function callJson(transport: Transport, limits: KubeLimits, request: TransportRequest): Promise<JsonObject> {
  return await transport.call(request, async (answer) => {
    const value = parseAnswer(await readAnswer(answer, transport.address, limits.answerBytesMax), transport.address);
    if (!isJsonObject(value)) throw unexpected(transport, 'something that is not an object');
    return value;
  });
}

function placeOf(type: ResourceType, object: KubeObject): { readonly namespace: string | undefined; readonly name: string | undefined } {
  const { namespace, name } = object.metadata;
  if (type.namespaced && !namespace) throw new ApiError(Code.InvalidArgument, `${type.kind} ${name ?? ''}: metadata.namespace is missing`);
  return { namespace: type.namespaced ? namespace : undefined, name };
}

function selection(options: ListOptions): Query {
  const { labelSelector, fieldSelector, limit, resourceVersion, resourceVersionMatch } = options;
  return { labelSelector, fieldSelector, limit, continue: options.continue, resourceVersion, resourceVersionMatch };
}

function writeQuery({ fieldManager, dryRun, fieldValidation }: WriteOptions): Query {
  return { fieldManager, dryRun: dryRun ? 'All' : undefined, fieldValidation };
}

function deleteBody({ propagation, gracePeriodSeconds, preconditions, dryRun }: DeleteOptions): Record<string, unknown> {
  const chosen = { propagationPolicy: propagation, gracePeriodSeconds, preconditions, dryRun: dryRun ? ['All'] : undefined };
  return { kind: 'DeleteOptions', apiVersion: 'v1', ...chosen };
}

function jsonBody(value: unknown, type = 'application/json'): { readonly body: string; readonly headers: Record<string, string> } {
  return { body: JSON.stringify(value), headers: { 'content-type': type, 'accept-encoding': 'gzip' } };
}
