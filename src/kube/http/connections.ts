import { Agent as HttpAgent } from 'node:http';
import type { AgentOptions as HttpAgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkServerIdentity, connect as connectTls, createSecureContext, getCACertificates } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import { ApiError, Code } from '../../base/index.ts';
import type { Credentials, ServerTrust, TlsMaterial } from '../credentials/index.ts';
import { toConnectionError } from './connection-error.ts';
import type { KubeLimits } from './limits.ts';
import { openTunnel } from './open-tunnel.ts';

export interface ConnectionsOptions {
  readonly server: URL;
  readonly address: string;
  readonly credentials: Pick<Credentials, 'trust' | 'proxyUrl'>;
  readonly limits: KubeLimits;
}

/** The connections to one cluster, kept open between calls; those made with an older certificate are not used again. */
export interface Connections {
  agentFor(tls: TlsMaterial): HttpAgent;
  close(): void;
}

export function createConnections(options: ConnectionsOptions): Connections {
  let current: { readonly tls: TlsMaterial; readonly agent: HttpAgent } | undefined;
  let retired: HttpAgent[] = [];
  return {
    agentFor: (tls) => {
      if (current?.tls === tls) return current.agent;
      retired = retired.filter((agent) => Object.keys(agent.sockets).length > 0);
      if (current) retired.push(retire(current.agent));
      current = { tls, agent: createAgent(options, tls) };
      return current.agent;
    },
    close: () => {
      for (const agent of [...retired, ...(current ? [current.agent] : [])]) agent.destroy();
      retired = [];
      current = undefined;
    },
  };
}

/** Watches that are under way go on; a connection that becomes free is closed. */
function retire(agent: HttpAgent): HttpAgent {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  return agent;
}

function createAgent(options: ConnectionsOptions, tls: TlsMaterial): HttpAgent {
  const { limits, server } = options;
  const pool = {
    keepAlive: true,
    keepAliveMsecs: 30_000,
    maxFreeSockets: limits.idleConnectionsMax,
    timeout: limits.idleConnectionMs,
    scheduling: 'lifo',
  } as const;
  if (server.protocol === 'http:') return new PlainAgent(pool, { options, tls });
  return new SecureAgent({ ...pool, ...tlsOptions(options, tls) }, { options, tls });
}

type Created = (error: Error | null, socket: Duplex) => void;

interface AgentPlan {
  readonly options: ConnectionsOptions;
  readonly tls: TlsMaterial;
}

class PlainAgent extends HttpAgent {
  readonly #plan: AgentPlan;

  constructor(pool: HttpAgentOptions, plan: AgentPlan) {
    super(pool);
    this.#plan = plan;
  }

  override createConnection(wanted: HttpAgentOptions, created: Created): Duplex | undefined {
    if (this.#plan.options.credentials.proxyUrl === undefined) {
      return limitConnecting(super.createConnection(wanted, created) as Socket, 'connect', this.#plan.options);
    }
    void throughProxy(this.#plan, (socket) => socket, created);
    return undefined;
  }
}

class SecureAgent extends HttpsAgent {
  readonly #plan: AgentPlan;

  constructor(pool: AgentOptions, plan: AgentPlan) {
    super(pool);
    this.#plan = plan;
  }

  override createConnection(wanted: AgentOptions, created: Created): Duplex | undefined {
    if (this.#plan.options.credentials.proxyUrl === undefined) {
      return limitConnecting(super.createConnection(wanted, created) as Socket, 'secureConnect', this.#plan.options);
    }
    const secure = (socket: Socket): Socket => connectTls({ ...(wanted as ConnectionOptions), socket });
    void throughProxy(this.#plan, (socket) => limitConnecting(secure(socket), 'secureConnect', this.#plan.options), created);
    return undefined;
  }
}

async function throughProxy({ options, tls }: AgentPlan, wrap: (socket: Socket) => Socket, created: Created): Promise<void> {
  const { server, credentials, limits } = options;
  try {
    const target = { host: server.hostname.replace(/^\[|\]$/g, ''), port: Number(server.port) || (server.protocol === 'http:' ? 80 : 443) };
    const tunnel = { limitMs: limits.connectMs, tls: () => proxyTrust(credentials.trust, tls) };
    created(null, wrap(await openTunnel(credentials.proxyUrl ?? '', target, tunnel)));
  } catch (error) {
    // The agent takes no socket where there is an error, whatever the type says.
    created(error as Error, undefined as unknown as Duplex);
  }
}

function limitConnecting(socket: Socket, event: 'connect' | 'secureConnect', { address, limits }: ConnectionsOptions): Socket {
  const late = (): void => {
    const seconds = limits.connectMs / 1000;
    socket.destroy(new ApiError(Code.DeadlineExceeded, `no connection to the cluster at ${address} within ${seconds} seconds`));
  };
  const timer = setTimeout(late, limits.connectMs);
  timer.unref();
  const stop = (): void => clearTimeout(timer);
  socket.once(event, stop).once('close', stop);
  return socket;
}

function tlsOptions({ credentials, address }: ConnectionsOptions, tls: TlsMaterial): ConnectionOptions {
  const { trust } = credentials;
  const { serverName } = trust;
  try {
    return {
      // Parsed once for all connections; as separate options they would also make up the name of every pooled connection.
      secureContext: createSecureContext({ ca: tls.authority ?? machineAuthorities(), cert: tls.certificate, key: tls.key }),
      rejectUnauthorized: !trust.insecure,
      ...(serverName !== undefined && {
        // The name of a server in TLS cannot be an address; the certificate is held against it all the same.
        ...(isIP(serverName) === 0 && { servername: serverName }),
        checkServerIdentity: (_host: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
          checkServerIdentity(serverName, certificate),
      }),
    };
  } catch (error) {
    const code = error instanceof Error ? String(Reflect.get(error, 'code') ?? '') : '';
    if (!code.startsWith('ERR_')) throw toConnectionError(error, address);
    throw new ApiError(Code.InvalidArgument, `the certificates for the cluster at ${address} cannot be read (${code})`);
  }
}

/** A proxy of the house may be signed by the cluster's authority or by any that this machine knows. */
function proxyTrust(trust: ServerTrust, tls: TlsMaterial): Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'> {
  return { ca: [...(tls.authority === undefined ? [] : [tls.authority]), ...machineAuthorities()], rejectUnauthorized: !trust.insecure };
}

let authorities: string[] | undefined;

/** What Node believes and what this machine believes: an authority of the house is often only in the latter. */
function machineAuthorities(): string[] {
  authorities ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return authorities;
}
