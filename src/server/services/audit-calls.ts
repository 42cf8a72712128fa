import { randomUUID } from 'node:crypto';
import { ApiError, Code, type Logger } from '../../base/index.ts';
import { methods, type MethodSchema } from '../../contract/index.ts';
import { isJsonObject, type JsonValue } from '../../objects/index.ts';
import type { Call } from '../call.ts';
import type { ServiceHandlers } from '../transports/core/method-table.ts';

/** Levels that log collectors of Argo CD filter by: what is usual, and what may be an attack but is more likely a mistake. */
const USUAL = 1;
const SUSPICIOUS = 2;

/** Fields of a request that say what it is about. Nothing else is taken from it: the rest may be secret. */
const NAMING_FIELDS = [
  'name',
  'applicationName',
  'namespace',
  'appNamespace',
  'project',
  'role',
  'id',
  'repo',
  'url',
  'server',
  'kind',
  'group',
  'resourceName',
];

const codeNames = new Map<number, string>(Object.entries(Code).map(([name, code]) => [code, name]));

/**
 * Wraps handlers so that each call that changes something, and each that is denied, leaves one record: who, with which token, what, and what
 * came of it. It is written before the answer goes out, so that nothing is acknowledged that nobody could find out about.
 */
export function auditCalls(services: Readonly<Record<string, ServiceHandlers>>, log: Logger): Record<string, ServiceHandlers> {
  const byPath = new Map(methods.map((method) => [method.path, method]));
  return Object.fromEntries(
    Object.entries(services).map(([service, handlers]) => [
      service,
      Object.fromEntries(
        Object.entries(handlers).map(([name, handle]) => {
          const method = byPath.get(`/${service}/${name}`);
          return [name, method === undefined ? handle : auditCall(handle as Handler, method, log)];
        }),
      ),
    ]),
  ) as Record<string, ServiceHandlers>;
}

type Handler = (request: unknown, call: Call) => unknown;

/** Nearly all calls only read and are not denied: they must not pay for this. */
function auditCall(handle: Handler, { serverStreaming, clientStreaming, http }: MethodSchema, log: Logger): Handler {
  if (serverStreaming || clientStreaming) return handle;
  const changes = http.some(({ verb }) => verb !== 'GET');
  const record = (request: unknown, call: Call, code: Code): void => {
    const isDenied = code === Code.PermissionDenied;
    if (changes || isDenied) log.info('audit', describe(request, call, code, isDenied ? SUSPICIOUS : USUAL));
  };
  const fail = (request: unknown, call: Call, error: unknown): never => {
    record(request, call, error instanceof ApiError ? error.code : Code.Internal);
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
          if (changes) record(request, call, Code.OK);
          return value;
        },
        (error: unknown) => fail(request, call, error),
      );
    if (changes) record(request, call, Code.OK);
    return answer;
  };
}

function describe(
  request: unknown,
  { method, caller, transport, remoteAddress }: Call,
  code: Code,
  security: number,
): Record<string, unknown> {
  return {
    audit: randomUUID(),
    user: caller?.username ?? '',
    ...(caller && { issuer: caller.issuer, tokenId: caller.tokenId, issuedAt: caller.issuedAt }),
    call: method.path,
    target: describeTarget(request as JsonValue),
    decision: code === Code.OK ? 'done' : code === Code.PermissionDenied ? 'denied' : 'failed',
    code: codeNames.get(code) ?? 'Unknown',
    transport,
    remoteAddress,
    security,
  };
}

function describeTarget(request: JsonValue): Record<string, JsonValue> {
  if (!isJsonObject(request)) return {};
  const own = Object.entries(request).filter(
    ([key, value]) => NAMING_FIELDS.includes(key) && (typeof value === 'string' || typeof value === 'number'),
  );
  // What is created or updated comes whole, with its name in its metadata.
  const objects = Object.values(request).flatMap((value) =>
    isJsonObject(value) && isJsonObject(value['metadata']) ? [value['metadata']] : [],
  );
  const names = objects.flatMap(({ name, namespace }) => [
    ...(typeof name === 'string' ? [['name', name] as const] : []),
    ...(typeof namespace === 'string' ? [['namespace', namespace] as const] : []),
  ]);
  return Object.fromEntries([...names, ...own.map(([key, value]) => [key, withoutCredentials(value as string | number)] as const)]);
}

/** URLs may hold a password. */
function withoutCredentials(value: string | number): string | number {
  return typeof value === 'string' ? value.replace(/\/\/[^/@\s]*@/, '//') : value;
}
