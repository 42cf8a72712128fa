import { restRoutes, type Services } from '../../contract/gen/rest-routes.ts';
import { buildRequest } from './build-request.ts';
import { callCodes, CallError, readFailure } from './call-error.ts';
import { readStream } from './read-stream.ts';

const CALL_TIMEOUT_MS = 30_000;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the answer; half a minute unless told otherwise. A stream has no limit but ends when it falls silent. */
  readonly timeoutMs?: number;
  /** Dotted paths, separated by commas: the answer has only these. Lists and streams take it. */
  readonly fields?: string;
}

export interface StreamOptions extends CallOptions {
  /** The server listens: from now on nothing is missed. */
  readonly onOpen?: () => void;
}

type Caller<Method> = Method extends (requests: AsyncIterable<infer _Item>, call: never) => unknown
  ? never
  : Method extends (request: infer Request, call: never) => AsyncIterable<infer Event>
    ? (request: Request, options?: StreamOptions) => AsyncIterable<Event>
    : Method extends (request: infer Request, call: never) => infer Answer
      ? (request: Request, options?: CallOptions) => Promise<Awaited<Answer>>
      : never;

type ServiceName = keyof Services<unknown>;
export type Api = {
  readonly [Name in ServiceName]: { readonly [Method in keyof Services<never>[Name]]: Caller<Services<never>[Name][Method]> };
};

export interface ApiHooks {
  /** Called for every failure: sign-in and the banner depend on it. */
  onFailure?: (error: CallError) => void;
  onSuccess?: () => void;
}

/** Every method of the contract as a function: `api.ApplicationService.List({ search: 'web' })`. */
export function createApi(hooks: ApiHooks = {}): Api {
  const services = Object.entries(restRoutes).map(([name, routes]) => [
    name,
    Object.fromEntries(
      Object.entries(routes).map(([method, route]: [string, string]) => [
        method,
        route.startsWith('STREAM ')
          ? (request: object, options?: StreamOptions) => openStream(route, request, hooks, options)
          : (request: object, options?: CallOptions) => call(route, request, hooks, options),
      ]),
    ),
  ]);
  return Object.fromEntries(services) as Api;
}

async function call(route: string, request: object, hooks: ApiHooks, options: CallOptions = {}): Promise<unknown> {
  const { verb, address, body } = buildRequest(route, request, options.fields);
  return sendCall(address, { verb, body, ...options }, hooks);
}

/** One request with JSON both ways. Fails with a `CallError`, also when the time is up or the server is not there. */
export async function sendCall(
  address: string,
  options: CallOptions & { readonly verb?: string; readonly body?: string | undefined },
  hooks: ApiHooks = {},
): Promise<unknown> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? CALL_TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const { verb = 'GET', body } = options;
  try {
    const answer = await fetch(address, {
      method: verb,
      signal,
      credentials: 'same-origin',
      // The server asks for it also where nothing is sent: a form of another site could not say it.
      ...(verb !== 'GET' && { headers: { 'content-type': 'application/json' } }),
      ...(body !== undefined && { body }),
    });
    if (!answer.ok) throw await readFailure(answer);
    const value: unknown = await answer.json();
    hooks.onSuccess?.();
    return value;
  } catch (error) {
    const failure = toCallError(error, timeout);
    if (options.signal?.aborted !== true) hooks.onFailure?.(failure);
    throw failure;
  }
}

async function* openStream(route: string, request: object, hooks: ApiHooks, options: StreamOptions = {}): AsyncGenerator<unknown> {
  const { address } = buildRequest(route, request, options.fields);
  try {
    yield* readStream(address, options);
  } catch (error) {
    const failure = toCallError(error);
    if (options.signal?.aborted !== true) hooks.onFailure?.(failure);
    throw failure;
  }
}

function toCallError(error: unknown, timeout?: AbortSignal): CallError {
  if (error instanceof CallError) return error;
  if (timeout?.aborted === true) return new CallError(callCodes.deadlineExceeded, 'the server did not answer in time', 0);
  return new CallError(callCodes.unavailable, 'the server cannot be reached', 0);
}
