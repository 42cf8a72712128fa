import { connect as connectTcp, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import { ApiError, Code } from '../../base/index.ts';
import { readSome } from './read-some.ts';

const HEAD_BYTES_MAX = 16 << 10;

export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface TunnelOptions {
  readonly limitMs: number;
  /** How far a proxy that is itself reached over TLS is believed. */
  readonly tls: () => Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'>;
}

/** A connection to a target through a proxy: CONNECT for http and https, or SOCKS 5, with user and password where the URL has them. */
export async function openTunnel(proxyUrl: string, target: Target, { limitMs, tls }: TunnelOptions): Promise<Socket> {
  const proxy = new URL(proxyUrl);
  const socket = connectProxy(proxy, tls);
  // Whoever uses the tunnel hears of its failure; one that comes before must not end the process.
  socket.on('error', () => undefined);
  const timer = setTimeout(() => socket.destroy(new ApiError(Code.DeadlineExceeded, `the proxy ${proxy.host} does not answer`)), limitMs);
  try {
    await connected(socket, proxy);
    await (proxy.protocol === 'socks5:' ? greetSocks(socket, proxy, target) : askConnect(socket, proxy, target));
    return socket;
  } catch (error) {
    socket.destroy();
    if (error instanceof ApiError) throw error;
    throw new ApiError(Code.Unavailable, `the proxy ${proxy.host} cannot be reached`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function connectProxy(proxy: URL, tls: TunnelOptions['tls']): Socket {
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const port = Number(proxy.port) || { 'http:': 80, 'https:': 443, 'socks5:': 1080 }[proxy.protocol] || 80;
  if (proxy.protocol !== 'https:') return connectTcp({ host, port });
  return connectTls({ host, port, ...tls(), ...(isIP(host) === 0 && { servername: host }) });
}

function connected(socket: Socket, proxy: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(proxy.protocol === 'https:' ? 'secureConnect' : 'connect', () => resolve());
    socket.once('error', reject);
  });
}

async function askConnect(socket: Socket, proxy: URL, { host, port }: Target): Promise<void> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const login = proxy.username === '' ? '' : Buffer.from(`${decode(proxy.username)}:${decode(proxy.password)}`).toString('base64');
  const authorization = login === '' ? '' : `Proxy-Authorization: Basic ${login}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  const head = await readSome(socket, (bytes) => {
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0 && bytes.length > HEAD_BYTES_MAX) throw refused(proxy, 'sent far too long an answer');
    return end < 0 ? undefined : end + 4;
  });
  const code = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1'))?.[1];
  if (code !== '200') throw refused(proxy, `answered ${code ?? 'something that is not HTTP'} to CONNECT`);
}

async function greetSocks(socket: Socket, proxy: URL, target: Target): Promise<void> {
  const withLogin = proxy.username !== '';
  socket.write(withLogin ? Buffer.from([5, 2, 0, 2]) : Buffer.from([5, 1, 0]));
  const [version, method] = await readSome(socket, (bytes) => (bytes.length >= 2 ? 2 : undefined));
  if (version !== 5) throw refused(proxy, 'does not speak SOCKS 5');
  if (method === 2 && withLogin) await logInSocks(socket, proxy);
  else if (method !== 0) throw refused(proxy, 'accepts none of our ways to sign in');
  const host = Buffer.from(target.host);
  const port = [target.port >> 8, target.port & 255];
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, host.length]), host, Buffer.from(port)]));
  const reply = await readSome(socket, (bytes) => {
    const length = bytes[3] === 1 ? 10 : bytes[3] === 4 ? 22 : bytes[3] === 3 ? 7 + (bytes[4] ?? 255) : 10;
    return bytes.length >= Math.max(5, length) ? length : undefined;
  });
  if (reply[1] !== 0) throw refused(proxy, `could not connect (SOCKS reply ${reply[1]})`);
}

async function logInSocks(socket: Socket, proxy: URL): Promise<void> {
  const user = Buffer.from(decode(proxy.username));
  const password = Buffer.from(decode(proxy.password));
  if (user.length > 255 || password.length > 255) throw refused(proxy, 'cannot take so long a user or password');
  socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]));
  const reply = await readSome(socket, (bytes) => (bytes.length >= 2 ? 2 : undefined));
  if (reply[1] !== 0) throw refused(proxy, 'does not accept the user and password');
}

function refused(proxy: URL, what: string): ApiError {
  return new ApiError(Code.Unavailable, `the proxy ${proxy.host} ${what}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
