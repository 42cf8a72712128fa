import { ApiError, Code, createLogger } from '../../src/base/index.ts';
import { methods } from '../../src/contract/index.ts';
import { createServer, type Call, type Limits, type PlainRoute, type ServerHooks, type TlsOptions } from '../../src/server/index.ts';

/** The one token that the test server takes. */
export const TOKEN = 'head.body.signature';

type Handler = (request: never, call: Call) => unknown;

export interface TestServerOptions {
  /** Handlers by `Service/Method`; every other method records its request and answers with an empty message. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  readonly limits?: Partial<Limits>;
  readonly tls?: TlsOptions;
  readonly routes?: readonly PlainRoute[];
  readonly hooks?: ServerHooks;
}

export interface TestServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** What handlers were called with, oldest first. */
  readonly requests: { readonly method: string; readonly request: unknown; readonly call: Call }[];
  readonly logLines: string[];
  /** Can be called twice. */
  stop(graceMs?: number): Promise<void>;
}

/** Starts the real listener and transports, with handlers that a test can see into. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const requests: TestServer['requests'] = [];
  const logLines: string[] = [];
  const tls = options.tls ?? { mode: 'off' };
  const server = createServer({
    listen: { host: '127.0.0.1', port: 0 },
    tls,
    services: createHandlers(options.handlers ?? {}, requests),
    authenticate: async (token) => {
      if (token === undefined) return undefined;
      if (token !== TOKEN) throw new ApiError(Code.Unauthenticated, 'invalid session: signature is invalid');
      return { username: 'admin', issuer: 'argocd', groups: [], capability: 'login', tokenId: 'id', issuedAt: 0, expiresAt: undefined };
    },
    publicMethods: new Set(['/version.VersionService/Version', '/session.SessionService/Create']),
    routes: options.routes ?? [{ path: '/healthz', verbs: ['GET'], handler: async () => ({ status: 200, body: 'ok\n' }) }],
    log: createLogger({ level: 'debug', format: 'json', write: (line) => logLines.push(line) }),
    ...(options.limits && { limits: options.limits }),
    ...(options.hooks && { hooks: options.hooks }),
  });
  const { host, port } = await server.start();
  const url = `${tls.mode === 'on' ? 'https' : 'http'}://${host}:${port}`;
  const stop = (graceMs = 0): Promise<void> => server.stop({ graceMs });
  return { host, port, url, requests, logLines, stop, [Symbol.asyncDispose]: () => stop() };
}

function createHandlers(
  handlers: Readonly<Record<string, Handler>>,
  requests: TestServer['requests'],
): Record<string, Record<string, Handler>> {
  const services: Record<string, Record<string, Handler>> = {};
  for (const { service, name, serverStreaming } of methods) {
    const label = `${service.split('.').at(-1)!}/${name}`;
    const given = handlers[label];
    const handle = given ?? (serverStreaming ? async function* () {} : async () => ({}));
    (services[service] ??= {})[name] = (request, call) => {
      requests.push({ method: label, request, call });
      return handle(request, call);
    };
  }
  return services;
}
