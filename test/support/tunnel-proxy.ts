import { createServer, connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

export interface TunnelProxy {
  /** With the user and password, where there are any. */
  readonly url: string;
  /** The targets that were asked for, in order. */
  readonly targets: readonly string[];
  close(): Promise<void>;
}

export interface TunnelProxyOptions {
  readonly scheme: 'http' | 'https' | 'socks5';
  /** For https: the certificate that the proxy shows, and its key. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
  readonly user?: string;
  readonly password?: string;
  /** Where hosts are that only the proxy knows. */
  readonly hosts?: Readonly<Record<string, string>>;
}

/** A proxy that passes connections on, by CONNECT or by SOCKS 5, for those who know the password. */
export async function startTunnelProxy({ scheme, user, password, tls, hosts = {} }: TunnelProxyOptions): Promise<TunnelProxy> {
  const targets: string[] = [];
  const open = new Set<Socket>();
  const login = user === undefined ? undefined : `${user}:${password}`;
  const pass = (client: Socket, host: string, port: number, reply: Buffer): void => {
    targets.push(`${host}:${port}`);
    const server = connect({ host: hosts[host] ?? host, port }, () => {
      client.write(reply);
      server.pipe(client);
      client.pipe(server);
    });
    open.add(server);
    server.on('error', () => client.destroy());
    client.on('error', () => server.destroy());
  };
  const serve = (client: Socket): void => {
    open.add(client);
    client.on('error', () => client.destroy());
    if (scheme === 'socks5') serveSocks(client, login, pass);
    else serveConnect(client, login, pass);
  };
  const proxy = scheme === 'https' ? createTlsServer({ ...tls }, serve) : createServer(serve);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const prefix = login === undefined ? '' : `${encodeURIComponent(user ?? '')}:${encodeURIComponent(password ?? '')}@`;
  return {
    url: `${scheme}://${prefix}127.0.0.1:${port}`,
    targets,
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => proxy.close(() => resolve()));
    },
  };
}

type Pass = (client: Socket, host: string, port: number, reply: Buffer) => void;

function serveConnect(client: Socket, login: string | undefined, pass: Pass): void {
  client.once('data', (bytes: Buffer) => {
    const head = bytes.toString('latin1');
    const wanted = login === undefined ? '' : `Proxy-Authorization: Basic ${Buffer.from(login).toString('base64')}\r\n`;
    if (!head.includes(wanted)) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const [, host = '', port = ''] = /^CONNECT \[?([^\]\s]+)\]?:(\d+) /.exec(head) ?? [];
    return pass(client, host, Number(port), Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n'));
  });
}

function serveSocks(client: Socket, login: string | undefined, pass: Pass): void {
  const serveRequest = (): void => {
    client.once('data', (bytes: Buffer) => {
      const length = bytes[4] ?? 0;
      const host = bytes.subarray(5, 5 + length).toString();
      pass(client, host, bytes.readUInt16BE(5 + length), Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
    });
  };
  client.once('data', () => {
    client.write(Buffer.from([5, login === undefined ? 0 : 2]));
    if (login === undefined) return serveRequest();
    client.once('data', (bytes: Buffer) => {
      const userLength = bytes[1] ?? 0;
      const given = `${bytes.subarray(2, 2 + userLength).toString()}:${bytes.subarray(3 + userLength).toString()}`;
      if (given !== login) return void client.end(Buffer.from([1, 1]));
      client.write(Buffer.from([1, 0]));
      return serveRequest();
    });
  });
}
