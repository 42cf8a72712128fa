import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { openTunnel } from '../../kube/index.ts';
import { pickProxy } from '../http/pick-proxy.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { GitUrl } from './git-url.ts';

/** A way through a proxy, which ssh itself knows nothing of: what connects to this port of the machine is connected to the server. */
export interface SshDoor {
  readonly port: number;
  /** Why the way was not open, where somebody tried it in vain. */
  failure(): string | undefined;
  close(): void;
}

export type SshProxy =
  | { readonly kind: 'none' }
  /** It is not one that SSH goes through. */
  | { readonly kind: 'unusable' }
  | { readonly kind: 'socks'; readonly url: string };

/** Less than ssh waits for, so that it is told what was in the way. */
const CONNECT_MS_MAX = 12_000;
/** One run of git connects once. */
const CONNECTIONS_MAX = 4;

/** The proxy of the repository that leads to its server by SSH: SOCKS 5, with a host and a port. Those of the environment are for HTTP. */
export function pickSshProxy({ proxy = '', noProxy = '' }: RepositoryAccess, { host, port }: GitUrl): SshProxy {
  if (proxy === '') return { kind: 'none' };
  const picked = pickProxy(new URL(`http://${host}:${port ?? 22}`), { proxy, noProxy, environment: {} });
  if (picked === undefined) return { kind: 'none' };
  const url = picked.replace(/^socks5h:/i, 'socks5:');
  const way = URL.canParse(url) ? new URL(url) : undefined;
  if (way?.protocol !== 'socks5:' || way.hostname === '' || way.port === '') return { kind: 'unusable' };
  return { kind: 'socks', url: way.href };
}

/** Opens a door of this machine alone. The proxy is asked when somebody comes. */
export async function openSshDoor(proxy: string, { host, port }: GitUrl): Promise<SshDoor> {
  const open = new Set<Socket>();
  const target = { host: host.replace(/^\[|\]$/g, ''), port: port ?? 22 };
  let failed: string | undefined;
  let isClosed = false;

  const keep = (socket: Socket, other?: Socket): void => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      other?.destroy();
    });
  };
  const server = createServer((client) => {
    keep(client);
    openTunnel(proxy, target, { limitMs: CONNECT_MS_MAX, tls: () => ({}) }).then(
      (tunnel) => {
        if (isClosed || client.destroyed) return void tunnel.destroy();
        keep(tunnel, client);
        client.on('close', () => tunnel.destroy());
        client.pipe(tunnel).pipe(client);
      },
      (error: unknown) => {
        failed = error instanceof Error ? error.message : String(error);
        client.destroy();
      },
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    failure: () => failed,
    close() {
      isClosed = true;
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
