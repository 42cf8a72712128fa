import type { Logger } from '../base/index.ts';
import { guardHooks } from './guard-hooks.ts';
import type { ServerHooks } from './hooks.ts';
import { defaultLimits, type Limits } from './limits.ts';
import type { CertificateSource } from './listener/certificate.ts';
import { Connections } from './listener/connections.ts';
import { createHttp1 } from './listener/http1.ts';
import { createHttp2 } from './listener/http2.ts';
import { createListener, startListening, type ListenAddress } from './listener/listen.ts';
import { openSecureContext } from './listener/secure-context.ts';
import { AnonymousRate } from './transports/core/anonymous-rate.ts';
import { createBodyBudget } from './transports/core/body-budget.ts';
import type { Authenticate, Core } from './transports/core/core.ts';
import { LiveCalls } from './transports/core/live-calls.ts';
import { createMethodTable, type ServiceHandlers } from './transports/core/method-table.ts';
import { createBodyRules } from './transports/core/read-body.ts';
import { Sweeper } from './transports/core/sweeper.ts';
import { createDispatch } from './transports/dispatch.ts';
import { createPlainRoutes, type PlainRoute } from './transports/plain-routes.ts';
import { createRouteTable } from './transports/rest/route-table.ts';

export type TlsOptions = { readonly mode: 'off' } | { readonly mode: 'on'; readonly certificate: CertificateSource };

export interface ServerOptions {
  /** Port 0: any free one. */
  readonly listen: ListenAddress;
  readonly tls: TlsOptions;
  /** Handlers by full service name. Methods without one answer Unimplemented. */
  readonly services: Readonly<Record<string, ServiceHandlers>>;
  readonly authenticate: Authenticate;
  /** gRPC paths of the methods that answer also those who are not signed in. */
  readonly publicMethods: ReadonlySet<string>;
  readonly routes: readonly PlainRoute[];
  readonly limits?: Partial<Limits>;
  readonly log: Logger;
  readonly hooks?: ServerHooks;
}

export interface FairwayServer {
  /** Resolves when connections are accepted; rejects when the address or the certificate cannot be used. */
  start(): Promise<ListenAddress>;
  /** Takes nothing new, ends streams, lets other calls finish for up to `graceMs`, then cuts off what is left. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

export function createServer(options: ServerOptions): FairwayServer {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const { log } = options;
  const hooks = guardHooks(options.hooks ?? {}, log);
  const budget = createBodyBudget(limits);
  const core: Core = {
    methods: createMethodTable(options),
    authenticate: options.authenticate,
    limits,
    log,
    hooks,
    anonymousRate: new AnonymousRate(limits),
    budget,
    messageRules: createBodyRules(limits, budget, limits.messageBytesMax),
    restRules: createBodyRules(limits, budget, limits.restBodyBytesMax),
    calls: new LiveCalls(limits.streamsPerCallerMax),
    sweeper: new Sweeper(sweepIntervalMs(limits)),
  };
  const connections = new Connections({ limits, hooks });
  core.sweeper.every((nowMs) => connections.sweep(nowMs));
  core.sweeper.every((nowMs) => core.calls.sweep(nowMs));
  let streamsCheckedMs = core.sweeper.nowMs;
  core.sweeper.every((nowMs) => {
    if (nowMs - streamsCheckedMs < limits.streamCheckMs) return;
    streamsCheckedMs = nowMs;
    core.calls.checkCallers(options.authenticate);
  });
  const dispatch = createDispatch({ core, restRoutes: createRouteTable(core.methods.all), plainRoutes: createPlainRoutes(options.routes) });
  const acceptHttp1 = createHttp1({ limits, sweeper: core.sweeper, connections, dispatch });
  const acceptHttp2 = createHttp2({ limits, sweeper: core.sweeper, connections, dispatch });
  let shutdown: ((graceMs: number) => Promise<void>) | undefined;

  return {
    async start() {
      const secure = options.tls.mode === 'on' ? await openSecureContext(options.tls.certificate, log) : undefined;
      const server = createListener({
        limits,
        hooks,
        connections,
        acceptHttp1,
        acceptHttp2,
        secureContext: secure && (() => secure.current),
      });
      const address = await startListening(server, options.listen);
      server.on('error', (error) => log.error('the listener failed', { error }));
      shutdown = async (graceMs) => {
        server.close();
        secure?.stop();
        core.calls.drain();
        await settleWithin(connections.drain(), graceMs);
        core.calls.abortAll();
        // One turn for the last answers to leave.
        await new Promise((resolve) => setImmediate(resolve));
        connections.destroyAll();
        core.sweeper.stop();
      };
      return address;
    },
    async stop({ graceMs }) {
      if (shutdown === undefined) core.sweeper.stop();
      await shutdown?.(graceMs);
    },
  };
}

/** Often enough to keep the shortest time to within a quarter of it. */
function sweepIntervalMs(limits: Limits): number {
  const { firstByteTimeoutMs, handshakeTimeoutMs, headTimeoutMs, idleTimeoutMs, bodyPauseMs, slowReaderTimeoutMs, anonymousBodyTimeoutMs } =
    limits;
  const shortest = Math.min(
    firstByteTimeoutMs,
    handshakeTimeoutMs,
    headTimeoutMs,
    idleTimeoutMs,
    bodyPauseMs,
    slowReaderTimeoutMs,
    anonymousBodyTimeoutMs,
  );
  return Math.max(10, Math.min(1_000, shortest / 4));
}

async function settleWithin(work: Promise<void>, timeoutMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
