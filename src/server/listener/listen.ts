import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';
import type { ConnectionsOptions, Connections, Connection } from './connections.ts';
import { createRedirect, type AcceptHttp1 } from './http1.ts';
import type { AcceptHttp2 } from './http2.ts';
import { sniff } from './sniff.ts';

/** Our order decides. HTTP/2 first, because a browser allows a host six connections of HTTP/1.1, and each stream takes one of them. */
const ALPN_PROTOCOLS = ['h2', 'http/1.1'];

/**
 * A client that vanished without a word, as a machine that was switched off, is noticed by the system's own probes after this time of
 * silence: a watch of what does not change would last for as long as its token, and count among those that its account may have open.
 */
const SILENCE_MS_MAX = 60_000;

export interface ListenerOptions extends ConnectionsOptions {
  readonly connections: Connections;
  readonly acceptHttp1: AcceptHttp1;
  readonly acceptHttp2: AcceptHttp2;
  /** The certificate to use now; undefined when TLS is off. */
  readonly secureContext: (() => SecureContext) | undefined;
}

/** One port for everything: looks at the first bytes of each connection and hands it to whoever speaks its protocol. */
export function createListener(options: ListenerOptions): Server {
  const { connections, limits, acceptHttp1, acceptHttp2, secureContext } = options;
  const redirect = createRedirect(limits);
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: SILENCE_MS_MAX }, (socket) => {
    // An error is followed by `close`, which is where connections are forgotten.
    socket.on('error', () => {});
    const connection = connections.open(socket);
    if (connection === undefined) return;
    sniff(socket, (protocol) => {
      connections.enter(connection, protocol === 'tls' ? 'handshake' : 'head');
      if (protocol === 'tls') {
        if (secureContext === undefined) connections.refuse(connection, 'handshake');
        else acceptTls(options, secureContext(), socket, connection);
      } else if (secureContext !== undefined) {
        if (protocol === 'http1') redirect(socket, connection);
        else connections.refuse(connection, 'handshake');
      } else if (protocol === 'http2') acceptHttp2(socket, connection);
      else acceptHttp1(socket, connection);
    });
  });
  return server;
}

function acceptTls(
  { connections, acceptHttp1, acceptHttp2 }: ListenerOptions,
  secureContext: SecureContext,
  socket: Socket,
  connection: Connection,
): void {
  const secured = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ALPN_PROTOCOLS });
  secured.on('error', () => {
    if (connection.phase === 'handshake') connections.note('handshake');
    secured.destroy();
    socket.destroy();
  });
  secured.once('secure', () => {
    connections.enter(connection, 'head');
    if (secured.alpnProtocol === 'h2') {
      acceptHttp2(secured, connection);
      // A server-side TLS socket made by hand never says this, and the HTTP/2 session sends nothing before it does.
      secured.emit('secureConnect');
    } else acceptHttp1(secured, connection);
  });
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export function startListening(server: Server, { host, port }: ListenAddress): Promise<ListenAddress> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 4_096 }, () => {
      server.off('error', reject);
      const { address, port: bound } = server.address() as AddressInfo;
      resolve({ host: address, port: bound });
    });
  });
}
