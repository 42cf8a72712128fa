import { ApiError, Code } from '../../../base/index.ts';
import { messageCodec, methods as contractMethods, type MessageCodec, type MethodSchema } from '../../../contract/index.ts';
import type { ClientStreamHandler, ServerStreamHandler, Transport, UnaryHandler } from '../../call.ts';
import type { CallLabels } from '../../hooks.ts';

/** Handlers by method name, as the generated service types describe them. */
export type ServiceHandlers = object;

/** A handler by what its method is; undefined while nobody has implemented it. */
export type MethodHandler =
  | { readonly kind: 'unary'; readonly handle: UnaryHandler<unknown> }
  | { readonly kind: 'server-stream'; readonly handle: ServerStreamHandler<unknown> }
  | { readonly kind: 'client-stream'; readonly handle: ClientStreamHandler<unknown> };

export type ClientStream = Extract<MethodHandler, { readonly kind: 'client-stream' }>;

export interface Method {
  readonly schema: MethodSchema;
  readonly input: MessageCodec;
  readonly output: MessageCodec;
  readonly handler: MethodHandler | undefined;
  /** Answers also those who are not signed in. */
  readonly isPublic: boolean;
  readonly labels: Readonly<Record<Transport, CallLabels>>;
}

export interface MethodTable {
  readonly all: readonly Method[];
  /** By exact gRPC path; nothing else is tried. */
  find(path: string): Method | undefined;
}

export interface MethodTableOptions {
  /** By full service name. */
  readonly services: Readonly<Record<string, ServiceHandlers>>;
  /** gRPC paths. */
  readonly publicMethods: ReadonlySet<string>;
}

export function createMethodTable({ services, publicMethods }: MethodTableOptions): MethodTable {
  checkNames(services, publicMethods);
  const all = contractMethods.map((schema): Method => {
    const service = services[schema.service];
    const handle = service && (Reflect.get(service, schema.name) as unknown);
    return {
      schema,
      input: messageCodec(schema.input),
      output: messageCodec(schema.output),
      handler: typeof handle === 'function' ? bindHandler(schema, service!, handle as (...values: unknown[]) => unknown) : undefined,
      isPublic: publicMethods.has(schema.path),
      labels: createLabels(schema),
    };
  });
  const byPath = new Map(all.map((method) => [method.schema.path, method]));
  return { all, find: (path) => byPath.get(path) };
}

/** What a call of a method is counted as. */
export function createLabels({ service, name: method }: MethodSchema): Method['labels'] {
  return {
    grpc: { transport: 'grpc', service, method },
    'grpc-web': { transport: 'grpc-web', service, method },
    rest: { transport: 'rest', service, method },
  };
}

export function notImplemented(method: Method): ApiError {
  return new ApiError(Code.Unimplemented, `method ${method.schema.service}/${method.schema.name} is not implemented yet`);
}

export function unknownMethod(path: string): ApiError {
  return new ApiError(Code.Unimplemented, `unknown method ${path.slice(0, 200)}`);
}

function bindHandler(schema: MethodSchema, service: object, handle: (...values: unknown[]) => unknown): MethodHandler {
  const bound: unknown = handle.bind(service);
  if (schema.serverStreaming) return { kind: 'server-stream', handle: bound as ServerStreamHandler<unknown> };
  if (schema.clientStreaming) return { kind: 'client-stream', handle: bound as ClientStreamHandler<unknown> };
  return { kind: 'unary', handle: bound as UnaryHandler<unknown> };
}

/** A misspelt name would silently close or, worse, never open a method. */
function checkNames(services: Readonly<Record<string, ServiceHandlers>>, publicMethods: ReadonlySet<string>): void {
  const known = new Set(contractMethods.flatMap((method) => [method.service, method.path]));
  for (const name of [...Object.keys(services), ...publicMethods]) {
    if (!known.has(name)) throw new Error(`the contract has no service or method ${name}`);
  }
}
