/** Calls of any method of the contract, over REST, gRPC and gRPC-Web, told in the same words. */
import { Code } from '../../src/base/index.ts';
import { messageCodec, type HttpBinding, type JsonObject, type JsonValue, type MethodSchema } from '../../src/contract/index.ts';
import type { GrpcClient } from './grpc-client.ts';

/** What came back: a gRPC code, and what was said. A stream is read up to its first message. */
export interface ContractAnswer {
  /**
   * `silent` where a stream stayed open and said nothing, `unopened` where it did not even open. Over gRPC the two look the same, as the head
   * comes with the first message.
   */
  readonly code: number | 'silent' | 'unopened';
  /** Of HTTP: over REST alone. */
  readonly status?: number;
  /** The answer as JSON, or the text of the refusal. */
  readonly text: string;
}

export interface ContractCallOptions {
  readonly token?: string | undefined;
  /** How long a stream may say nothing before it counts as silent. */
  readonly silentAfterMs?: number;
  /** For a stream of requests: what comes after the first. */
  readonly next?: JsonObject | undefined;
}

/** A request as REST has it. */
export interface RestCall {
  readonly verb: string;
  readonly path: string;
  readonly body: JsonValue | undefined;
}

const STREAM_LIMIT_MS = 20_000;

/** Path, query and body of a request by the rules of its route; undefined where the route asks for a value that it does not have. */
export function toRestCall(binding: HttpBinding, request: JsonObject): RestCall | undefined {
  const rest = structuredClone(request);
  let isComplete = true;
  const path = binding.path.replaceAll(/\{([^}=]+)(=\*\*)?\}/g, (_whole, name: string, manySegments?: string) => {
    const value = takeValue(rest, name.split('.'));
    if (value === undefined || value === '') isComplete = false;
    const text = String(value ?? '');
    return manySegments === undefined ? encodeURIComponent(text) : text.split('/').map(encodeURIComponent).join('/');
  });
  if (!isComplete) return undefined;
  if (binding.body === '*') return { verb: binding.verb, path, body: rest };
  const body = binding.body === null ? undefined : rest[binding.body];
  if (binding.body !== null) delete rest[binding.body];
  const query = new URLSearchParams(flatten('', rest)).toString();
  return { verb: binding.verb, path: query === '' ? path : `${path}?${query}`, body };
}

/** The value at a path, which is taken out of the object. */
function takeValue(object: JsonObject, [name = '', ...inner]: readonly string[]): JsonValue | undefined {
  const value = object[name];
  if (inner.length > 0) return typeof value === 'object' && value !== null && !Array.isArray(value) ? takeValue(value, inner) : undefined;
  delete object[name];
  return value;
}

function flatten(prefix: string, value: JsonValue | undefined): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => flatten(prefix, item));
  if (typeof value !== 'object') return [[prefix, String(value)]];
  return Object.entries(value).flatMap(([name, item]) => flatten(prefix === '' ? name : `${prefix}.${name}`, item));
}

/** Asks over REST, by the first route that the request can be written for. */
export async function callRest(
  url: string,
  method: MethodSchema,
  request: JsonObject,
  options: ContractCallOptions = {},
): Promise<ContractAnswer> {
  const call = method.http.map((binding) => toRestCall(binding, request)).find((each) => each !== undefined);
  if (call === undefined) throw new Error(`no route of ${method.path} takes ${JSON.stringify(request)}`);
  return callRoute(url, call, { ...options, isStream: method.serverStreaming });
}

export async function callRoute(
  url: string,
  { verb, path, body }: RestCall,
  { token, silentAfterMs = STREAM_LIMIT_MS, isStream, next }: ContractCallOptions & { readonly isStream: boolean },
): Promise<ContractAnswer> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), silentAfterMs);
  let status: number | undefined;
  try {
    const answer = await fetch(`${url}${path}`, {
      method: verb,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined &&
        verb !== 'GET' && { body: [body, ...(next === undefined ? [] : [next])].map((each) => JSON.stringify(each)).join('\n') }),
      ...(isStream && { signal: over.signal }),
    });
    ({ status } = answer);
    const text = isStream && answer.ok ? await readFirstLine(answer) : await answer.text();
    return { code: answer.ok ? 0 : codeIn(text, status), status, text: answer.ok ? text : refusalIn(text) };
  } catch (error) {
    if (isStream && over.signal.aborted)
      return status === undefined ? { code: 'unopened', text: '' } : { code: 'silent', status, text: '' };
    throw error;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

async function readFirstLine(answer: Response): Promise<string> {
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString('utf8');
    if (text.includes('\n')) break;
  }
  return text.slice(0, text.indexOf('\n') + 1 || undefined);
}

interface Refusal {
  readonly code?: number;
  readonly message?: string;
  readonly error?: string | { readonly grpc_code?: number; readonly message?: string };
}

function codeIn(text: string, status: number): number {
  const { code, error } = readRefusal(text);
  // Where the answer is not of the API at all, its status tells more than a code would.
  return code ?? (typeof error === 'object' ? error.grpc_code : undefined) ?? status;
}

function refusalIn(text: string): string {
  const { message, error } = readRefusal(text);
  return message ?? (typeof error === 'object' ? error.message : error) ?? text;
}

function readRefusal(text: string): Refusal {
  try {
    return JSON.parse(text) as Refusal;
  } catch {
    return {};
  }
}

/** Asks over gRPC. */
export async function callGrpc(
  client: GrpcClient,
  method: MethodSchema,
  request: JsonObject,
  { token, silentAfterMs = STREAM_LIMIT_MS, next }: ContractCallOptions = {},
): Promise<ContractAnswer> {
  const options = { metadata: { ...(token !== undefined && { token }) }, deadline: Date.now() + STREAM_LIMIT_MS };
  try {
    if (method.serverStreaming) {
      const stream = client.serverStream(method.path, request, { ...options, deadline: Date.now() + silentAfterMs });
      for await (const message of stream) {
        stream.cancel();
        return { code: 0, text: JSON.stringify(message) };
      }
      return { code: 0, text: '' };
    }
    const answer = method.clientStreaming
      ? await client.clientStream(method.path, next === undefined ? [request] : [request, next], options)
      : await client.unary(method.path, request, options);
    return { code: 0, text: JSON.stringify(answer) };
  } catch (error) {
    const { code, details } = error as { readonly code?: number; readonly details?: string };
    if (code === undefined) throw error;
    const isSilence = method.serverStreaming && code === Code.DeadlineExceeded;
    return { code: isSilence ? 'silent' : code, text: isSilence ? '' : (details ?? '') };
  }
}

const PREFIX_BYTES = 5;

/** Asks over gRPC-Web, for what takes a single message. */
export async function callGrpcWeb(
  url: string,
  { path, input, output }: MethodSchema,
  request: JsonObject,
  { token, silentAfterMs = STREAM_LIMIT_MS }: ContractCallOptions = {},
): Promise<ContractAnswer> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), silentAfterMs);
  const message = messageCodec(input).encode(request);
  const body = Buffer.alloc(PREFIX_BYTES + message.length);
  body.writeUInt32BE(message.length, 1);
  body.set(message, PREFIX_BYTES);
  try {
    const headers = { 'content-type': 'application/grpc-web+proto', ...(token !== undefined && { token }) };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal: over.signal });
    const refusal = answer.headers.get('grpc-status');
    if (refusal !== null) return { code: Number(refusal), text: answer.headers.get('grpc-message') ?? '' };
    let heard = Buffer.alloc(0);
    for await (const chunk of answer.body ?? []) {
      heard = Buffer.concat([heard, chunk as Uint8Array]);
      const end = heard.length < PREFIX_BYTES ? Infinity : PREFIX_BYTES + heard.readUInt32BE(1);
      // The trailers have a mark; anything else is the first message.
      if (heard[0] !== 0x80 && heard.length >= end)
        return { code: 0, text: JSON.stringify(messageCodec(output).decode(heard.subarray(PREFIX_BYTES, end))) };
    }
    const trailers = heard.toString('latin1');
    return { code: Number(/grpc-status: ?(\d+)/i.exec(trailers)?.[1]), text: /grpc-message: ?(.*)/i.exec(trailers)?.[1]?.trim() ?? '' };
  } catch (error) {
    if (over.signal.aborted) return { code: 'silent', text: '' };
    throw error;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
