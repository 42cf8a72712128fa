import { isStatusError, listAt } from '../../objects/index.ts';
import type { Reviewer } from '../../embedded/index.ts';
import type { JsonObject, KubeObject, Status } from '../../objects/index.ts';
import type { Clock } from '../../base/index.ts';
import type { HttpReply, HttpRequest } from '../http.ts';
import { chooseForm } from './negotiate.ts';
import { readDeleteBody, readObject, readPatch } from './read-object.ts';
import { readDeleteOptions, readFlag, readListOptions, readLogOptions, readWatchOptions, readWriteOptions } from './read-query.ts';
import { createRenderer, renderTexts } from './render.ts';
import type { Renderer } from './render.ts';
import { jsonReply, methodNotAllowed, pathNotFound } from './replies.ts';
import type { ResourceTarget, ServedApi } from './served-api.ts';
import { openWatchLines } from './watch-lines.ts';

export interface ResourceRequest {
  readonly api: ServedApi;
  readonly clock: Clock;
  readonly request: HttpRequest;
  readonly query: URLSearchParams;
  readonly target: ResourceTarget;
  /** Who asks. */
  readonly reviewer: Reviewer;
  /** Is told of a write what its address does not say, as it becomes known. */
  readonly onWrite: (write: Write) => void;
}

export interface Write {
  /** What a created object is called. */
  readonly name?: string | undefined;
  /** Whether it is only tried. */
  readonly dryRun?: boolean;
}

/** Does what a request asks of a resource, an object or a subresource. */
export async function handleResource(call: ResourceRequest): Promise<HttpReply> {
  const { request, target } = call;
  const { resource, subresource, name } = target;
  if (subresource !== undefined && !resource.subresources.includes(subresource)) throw pathNotFound();
  const verb = request.verb === 'HEAD' ? 'GET' : request.verb;
  if (subresource === 'log' && verb === 'GET') return readLog(call);
  if (verb === 'GET') return name === undefined ? listOrWatch(call) : getOne(call);
  if (verb === 'POST') return write(call, 'create');
  if (name === undefined) {
    if (verb === 'DELETE') return deleteMany(call);
    throw methodNotAllowed();
  }
  if (verb === 'PUT') return write(call, 'update');
  if (verb === 'PATCH') return write(call, 'patch');
  if (verb === 'DELETE' && subresource === undefined) return deleteOne(call);
  throw methodNotAllowed();
}

async function renderer({ api, clock, request, query, target: { resource } }: ResourceRequest): Promise<Renderer> {
  const form = chooseForm(request.headers['accept']);
  return createRenderer({ api, resource, form, includeObject: query.get('includeObject') ?? 'Metadata', nowMs: () => clock.nowMs() });
}

/** Whole objects are wanted, and neither rows nor their metadata alone. */
function wantsObjects({ request }: ResourceRequest): boolean {
  return chooseForm(request.headers['accept']) === 'object';
}

async function listOrWatch(call: ResourceRequest): Promise<HttpReply> {
  const { api, request, query, target } = call;
  const { resource, namespace } = target;
  const { signal } = request;
  if (!readFlag(query, 'watch')) {
    const selection = { ...readListOptions(query, namespace), signal };
    if (api.listTexts !== undefined && wantsObjects(call))
      return jsonReply(renderTexts(resource, await api.listTexts(resource, selection)));
    return jsonReply((await renderer(call)).list(await api.list(resource, selection)));
  }
  const render = await renderer(call);
  const options = { ...readWatchOptions(query, namespace), signal };
  const body = await openWatchLines(
    (onOpen) => api.watch(resource, { ...options, onOpen }),
    (event) => render.event(event),
  );
  return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-cache, private' }, body };
}

async function getOne(call: ResourceRequest): Promise<HttpReply> {
  const { api, request, target } = call;
  const { resource, namespace, name = '', subresource } = target;
  const ref = { name, ...(namespace !== undefined && { namespace }) };
  const { signal } = request;
  if (api.getText !== undefined && subresource === undefined && wantsObjects(call))
    return jsonReply(await api.getText(resource, ref, { signal }));
  const options = { keepManagedFields: true, signal, ...(subresource !== undefined && { subresource }) };
  return jsonReply((await renderer(call)).object(await api.get(resource, ref, options)));
}

async function write(call: ResourceRequest, verb: 'create' | 'update' | 'patch'): Promise<HttpReply> {
  const { api, request, query, target, reviewer, onWrite } = call;
  const { resource, namespace, name = '', subresource } = target;
  if (verb === 'create' && target.name !== undefined && subresource === undefined) throw methodNotAllowed();
  const warnings: string[] = [];
  let status = verb === 'create' ? 201 : 200;
  const options = {
    ...readWriteOptions(query, request.headers['user-agent']),
    ...(subresource !== undefined && { subresource }),
    signal: request.signal,
    reviewer,
    onWarning: (text: string) => void warnings.push(text),
    onCreated: () => {
      status = 201;
    },
  };
  onWrite({ dryRun: options.dryRun === true });
  const render = await renderer(call);
  let object: KubeObject;
  if (verb === 'patch') {
    const patch = await readPatch(request, readFlag(query, 'force'));
    // Who applies must say who it is; everyone else is known by its program.
    const { fieldManager: _manager, ...unnamed } = options;
    const named = patch.type === 'apply' && (query.get('fieldManager') ?? '') === '' ? unnamed : options;
    object = await api.patch(resource, { name, ...(namespace !== undefined && { namespace }) }, patch, named);
  } else {
    const given = await readObject(request, target);
    const isNew = verb === 'create' && subresource === undefined;
    if (isNew) onWrite({ name: given.metadata.name });
    if (subresource === 'eviction' && isTriedEviction(given)) onWrite({ dryRun: true });
    object = await api[verb](resource, given, options);
    // The API may have made the name up. What is answered to a binding has none.
    if (isNew) onWrite({ name: object.metadata.name ?? given.metadata.name });
  }
  const text = isPlain(object) ? JSON.stringify(object) : render.object(object);
  return jsonReply(text, { status, warnings });
}

/** Evictions ask for a dry run in their options of the deletion, too: `kubectl drain --dry-run=server` does. */
function isTriedEviction(eviction: KubeObject): boolean {
  return listAt(eviction as unknown as JsonObject, 'deleteOptions', 'dryRun').length > 0;
}

async function deleteOne(call: ResourceRequest): Promise<HttpReply> {
  const { api, request, query, target, onWrite } = call;
  const { resource, namespace, name = '' } = target;
  const options = readDeleteOptions(query, await readDeleteBody(request));
  onWrite({ dryRun: options.dryRun === true });
  const ref = { name, ...(namespace !== undefined && { namespace }) };
  const result = await api.delete(resource, ref, { ...options, signal: request.signal });
  return jsonReply(isStatus(result) ? JSON.stringify(result) : (await renderer(call)).object(result));
}

async function deleteMany({ api, request, query, target, onWrite }: ResourceRequest): Promise<HttpReply> {
  const { resource, namespace } = target;
  const options = readDeleteOptions(query, await readDeleteBody(request));
  onWrite({ dryRun: options.dryRun === true });
  await api.deleteCollection(resource, readListOptions(query, namespace), { ...options, signal: request.signal });
  return jsonReply(JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }));
}

async function readLog({ api, request, query, target }: ResourceRequest): Promise<HttpReply> {
  const { namespace, name = '' } = target;
  const ref = { name, ...(namespace !== undefined && { namespace }) };
  const chunks = api.logs(ref, { ...readLogOptions(query), signal: request.signal })[Symbol.asyncIterator]();
  const isFollowing = readFlag(query, 'follow');
  const headers = { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' };
  // Where the log is at hand, a refusal still can be answered as one; one that is followed may have nothing to say for long.
  if (isFollowing) return { status: 200, headers, body: { [Symbol.asyncIterator]: () => chunks } };
  const first = await chunks.next();
  return { status: 200, headers, body: after(first, chunks) };
}

async function* after(first: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (let result = first; result.done !== true; result = await rest.next()) yield result.value;
  } catch (error) {
    if (!isStatusError(error)) throw error;
    yield Buffer.from(`${error.message}\n`);
  } finally {
    await rest.return?.();
  }
}

function isStatus(result: KubeObject | Status): result is Status {
  return result.kind === 'Status';
}

/** What some subresources answer with is no object of a kind that has rows. */
function isPlain(object: KubeObject): boolean {
  return object.kind === 'Status';
}
