import { isIPv4, isIPv6 } from 'node:net';

export interface Address {
  /** A name or an IP address, without brackets. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** Reads `HOST:PORT`, `[IPV6]:PORT` or `:PORT` (every interface); throws an Error that says what is wrong. */
export function parseAddress(text: string): Address {
  const parts = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  if (parts === null) throw new Error('must be HOST:PORT, for example 127.0.0.1:8080 or [::1]:8080');
  const [, bracketed, plain = '', digits] = parts;
  const port = Number(digits);
  if (port > 65_535) throw new Error('the port must be from 0 to 65535');
  if (bracketed !== undefined && !isIPv6(bracketed)) throw new Error('what is in brackets must be an IPv6 address');
  const host = bracketed ?? (plain === '' ? '0.0.0.0' : plain);
  const isName = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(host) && !/^[\d.]+$/.test(host);
  if (!isIPv4(host) && !isIPv6(host) && !isName) throw new Error('the host must be a name or an IP address');
  return { host, port };
}

export function formatAddress({ host, port }: Address): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Where a client on this machine connects: a wildcard address is where we listen, and no place to go. */
export function reachableAddress({ host, port }: Address): Address {
  return { host: host === '0.0.0.0' || host === '::' ? 'localhost' : host, port };
}

/** Whether only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
