import { parse as parseYaml } from 'yaml';
import { isJsonArray, isJsonObject, statusError } from '../../objects/index.ts';
import type { JsonObject, JsonValue, KubeObject, StatusError } from '../../objects/index.ts';
import type { Patch } from '../../kube/index.ts';
import type { HttpRequest } from '../http.ts';
import { decodeProtobufObject } from './protobuf/decode-object.ts';
import { WireError } from './protobuf/wire-reader.ts';
import type { ResourceTarget } from './served-api.ts';

/** As large as etcd lets a request be. */
const BODY_BYTES_MAX = 3 * 1024 * 1024;
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const PATCH_TYPES =
  'application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml';

/** The object of a create or update, with the place that the path gives it. */
export async function readObject(request: HttpRequest, { resource, namespace, name, subresource }: ResourceTarget): Promise<KubeObject> {
  const body = await readJson(request);
  if (!isJsonObject(body)) throw statusError('BadRequest', 'the body of the request must be an object');
  const metadata = isJsonObject(body['metadata'] ?? {}) ? (body['metadata'] as JsonObject | undefined) : undefined;
  const place: Record<string, JsonValue> = {};
  if (resource.namespaced && namespace !== undefined) {
    if ((metadata?.['namespace'] ?? '') !== '' && metadata?.['namespace'] !== namespace)
      throw statusError('BadRequest', 'the namespace of the provided object does not match the namespace sent on the request');
    place['namespace'] = namespace;
  }
  if (name !== undefined) {
    const own = metadata?.['name'] ?? '';
    if (own !== '' && own !== name && subresource === undefined)
      throw statusError(
        'BadRequest',
        `the name of the object (${JSON.stringify(own).slice(1, -1)}) does not match the name on the URL (${name})`,
      );
    place['name'] = name;
  }
  return { ...body, metadata: { ...metadata, ...place } } as unknown as KubeObject;
}

/** The DeleteOptions of a delete; undefined where the request has no body. */
export async function readDeleteBody(request: HttpRequest): Promise<JsonObject | undefined> {
  const body = await readJson(request);
  if (body === undefined) return undefined;
  if (!isJsonObject(body)) throw statusError('BadRequest', 'the body of the request must be an object');
  return body;
}

export async function readPatch(request: HttpRequest, isForced: boolean): Promise<Patch> {
  const type = contentTypeOf(request);
  if (type === 'application/apply-patch+yaml' || type === 'application/apply-patch+json')
    return { type: 'apply', body: requireObject(await readJson(request, true)), force: isForced };
  if (type === 'application/json-patch+json') {
    const operations = await readJson(request);
    if (!isJsonArray(operations))
      throw statusError('BadRequest', 'error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch');
    return { type: 'json', operations };
  }
  if (type === 'application/merge-patch+json') return { type: 'merge', body: requireObject(await readJson(request)) };
  if (type === 'application/strategic-merge-patch+json') return { type: 'strategic', body: requireObject(await readJson(request)) };
  throw statusError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${PATCH_TYPES}`,
  );
}

function requireObject(value: JsonValue | undefined): JsonObject {
  if (isJsonObject(value)) return value;
  throw statusError('BadRequest', 'error decoding patch: the patch must be an object');
}

async function readJson(request: HttpRequest, isYaml = contentTypeOf(request) === 'application/yaml'): Promise<JsonValue | undefined> {
  const type = contentTypeOf(request);
  if (type === 'application/cbor') throw unknownFormat();
  const bytes = await request.readBody(BODY_BYTES_MAX);
  if (bytes.length === 0) return undefined;
  if (type === PROTOBUF) return readProtobuf(bytes);
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (!isYaml) throw statusError('BadRequest', `couldn't read the body as JSON: ${messageOf(error)}`);
  }
  try {
    return parseYaml(text, { schema: 'core', prettyErrors: false }) as JsonValue;
  } catch (error) {
    throw statusError('BadRequest', `error converting YAML to JSON: ${messageOf(error)}`);
  }
}

function readProtobuf(bytes: Buffer): JsonObject {
  try {
    const object = decodeProtobufObject(bytes);
    if (object === undefined) throw unknownFormat();
    return object;
  } catch (error) {
    if (error instanceof WireError || error instanceof SyntaxError)
      throw statusError('BadRequest', `the body is not a protobuf object: ${error.message}`);
    throw error;
  }
}

function unknownFormat(): StatusError {
  const types = 'application/json, application/yaml, and for most built-in kinds application/vnd.kubernetes.protobuf';
  return statusError('UnsupportedMediaType', `the body of the request was in an unknown format - accepted media types include: ${types}`);
}

function contentTypeOf({ headers }: HttpRequest): string {
  return (headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
