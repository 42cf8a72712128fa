import { isIP } from 'node:net';
import { checkAddress, EgressRefused } from '../http/egress.ts';
import { pickProxy } from '../http/pick-proxy.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { GitUrl } from './git-url.ts';
import { createHostLookup, LookupFailure } from './look-up-host.ts';
import { pickSshProxy } from './ssh-door.ts';

export interface EgressRule {
  /** Whether repositories that nobody registered may be on this machine. */
  readonly allowOwnMachine: boolean;
  readonly proxyEnvironment: Readonly<Record<string, string>>;
}

/** Why a server is not connected to: fit for a caller. */
export class Unreachable extends Error {}

const lookUpHost = createHostLookup();

/**
 * The addresses that git may connect to, so that what it connects to is what was checked; undefined where something else looks the name
 * up: a proxy, or nobody.
 */
export async function findAddresses(access: RepositoryAccess, url: GitUrl, rule: EgressRule): Promise<readonly string[] | undefined> {
  if (url.transport === 'file') return undefined;
  if (url.transport === 'ssh') {
    if (pickSshProxy(access, url).kind === 'socks') return undefined;
  } else {
    const { proxy = '', noProxy = '' } = access;
    if (pickProxy(new URL(url.url), { proxy, noProxy, environment: rule.proxyEnvironment }) !== undefined) return undefined;
  }
  const host = url.host.replace(/^\[|\]$/g, '');
  const isRegistered = /[^/]/.test(access.owner);
  const addresses = isIP(host) === 0 ? await lookUp(host) : [host];
  try {
    for (const address of addresses) checkAddress(address, { allowOwnMachine: isRegistered || rule.allowOwnMachine });
  } catch (error) {
    if (error instanceof EgressRefused) throw new Unreachable(`${url.host}: ${error.message}`);
    throw error;
  }
  return addresses;
}

/** What makes git connect to those addresses and to no others. */
export function pinAddresses({ transport, host, port }: GitUrl, addresses: readonly string[] | undefined): [string, string][] {
  if (addresses === undefined || (transport !== 'http' && transport !== 'https') || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return [];
  const written = addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address)).join(',');
  return [['http.curloptResolve', `${host}:${port ?? (transport === 'https' ? 443 : 80)}:${written}`]];
}

async function lookUp(host: string): Promise<readonly string[]> {
  try {
    return await lookUpHost(host);
  } catch (error) {
    throw error instanceof LookupFailure ? new Unreachable(error.message) : error;
  }
}
