import { ApiError, Code, type Logger } from '../../base/index.ts';
import { methods, type MethodSchema } from '../../contract/index.ts';
import { isJsonObject, type JsonValue } from '../../objects/index.ts';
import type { Call, ClientStreamHandler, ServerStreamHandler } from '../call.ts';
import { describeTarget, recordAudit } from '../record-audit.ts';
import type { ServiceHandlers } from '../transports/core/method-table.ts';

/**
 * Wraps handlers so that each call that changes something, and each that is denied, leaves one record. It is written before the answer goes
 * out, so that nothing is acknowledged that nobody could find out about.
 */
export function auditCalls(services: Readonly<Record<string, ServiceHandlers>>, log: Logger): Record<string, ServiceHandlers> {
  const byPath = new Map(methods.map((method) => [method.path, method]));
  return Object.fromEntries(
    Object.entries(services).map(([service, handlers]) => [
      service,
      Object.fromEntries(
        Object.entries(handlers).map(([name, handle]) => {
          const method = byPath.get(`/${service}/${name}`);
          return [name, method === undefined ? (handle as unknown) : auditMethod(handle, method, log)];
        }),
      ),
    ]),
  ) as Record<string, ServiceHandlers>;
}

type Handler = (request: unknown, call: Call) => unknown;

/** No stream changes anything: of these only the refusals are recorded. */
function auditMethod(handle: unknown, method: MethodSchema, log: Logger): unknown {
  if (method.serverStreaming) return auditServerStream(handle as ServerStreamHandler<unknown>, log);
  if (method.clientStreaming) return auditClientStream(handle as ClientStreamHandler<unknown>, log);
  return auditCall(handle as Handler, method, log);
}

/** Nearly all calls only read and are not denied: they must not pay for this. */
function auditCall(handle: Handler, { http }: MethodSchema, log: Logger): Handler {
  const changes = http.some(({ verb }) => verb !== 'GET');
  const fail = (request: unknown, call: Call, error: unknown): never => {
    const code = error instanceof ApiError ? error.code : Code.Internal;
    if (changes || code === Code.PermissionDenied) record(log, request, call, code);
    throw error;
  };
  return (request, call) => {
    let answer: unknown;
    try {
      answer = handle(request, call);
    } catch (error) {
      return fail(request, call, error);
    }
    if (answer instanceof Promise)
      return answer.then(
        (value: unknown) => {
          if (changes) record(log, request, call, Code.OK);
          return value;
        },
        (error: unknown) => fail(request, call, error),
      );
    if (changes) record(log, request, call, Code.OK);
    return answer;
  };
}

/** Whoever may not read a stream is told so instead of its first message. */
function auditServerStream(handle: ServerStreamHandler<unknown>, log: Logger): ServerStreamHandler<unknown> {
  return (request, call) => {
    const fail = (error: unknown): never => failStream(log, request, call, error);
    const messages = attempt(() => handle(request, call), fail);
    return {
      [Symbol.asyncIterator]() {
        const iterator = messages[Symbol.asyncIterator]();
        let isOpen = false;
        return {
          next() {
            if (isOpen) return iterator.next();
            isOpen = true;
            return iterator.next().catch(fail);
          },
          return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
        };
      },
    };
  };
}

function attempt<Result>(run: () => Result, fail: (error: unknown) => never): Result {
  try {
    return run();
  } catch (error) {
    return fail(error);
  }
}

/** What it is about is in the first message. */
function auditClientStream(handle: ClientStreamHandler<unknown>, log: Logger): ClientStreamHandler<unknown> {
  return async (requests, call) => {
    const seen: { first?: JsonValue } = {};
    async function* watched(): AsyncGenerator<unknown> {
      for await (const request of requests) {
        seen.first ??= request as JsonValue;
        yield request;
      }
    }
    try {
      return await handle(watched(), call);
    } catch (error) {
      return failStream(log, isJsonObject(seen.first) ? seen.first['query'] : undefined, call, error);
    }
  };
}

function failStream(log: Logger, request: unknown, call: Call, error: unknown): never {
  if (error instanceof ApiError && error.code === Code.PermissionDenied) record(log, request, call, error.code);
  throw error;
}

function record(log: Logger, request: unknown, { method, caller, transport, remoteAddress }: Call, code: Code): void {
  const target = describeTarget(request as JsonValue | undefined);
  recordAudit(log, { caller, call: method.path, target, code, transport, remoteAddress });
}
