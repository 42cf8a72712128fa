import { BlockList, isIP } from 'node:net';

export interface ProxyRules {
  /** The repository's own; it replaces what the environment says. */
  readonly proxy: string;
  readonly noProxy: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The proxy that leads to an address; undefined where it is reached directly. */
export function pickProxy(url: URL, { proxy, noProxy, environment }: ProxyRules): string | undefined {
  const read = (...names: string[]): string => names.map((name) => environment[name] ?? '').find((value) => value !== '') ?? '';
  const own = proxy !== '';
  const named = url.protocol === 'https:' ? read('https_proxy', 'HTTPS_PROXY') : read('http_proxy');
  const chosen = own ? proxy : named || read('all_proxy', 'ALL_PROXY');
  if (chosen === '') return undefined;
  const exceptions = own ? noProxy : read('no_proxy', 'NO_PROXY');
  if (isExcepted(url, exceptions)) return undefined;
  return chosen.includes('://') ? chosen : `http://${chosen}`;
}

/** A list of hosts, domains, addresses and ranges of addresses, with or without a port; a star is everything. */
function isExcepted(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list.split(',').some((written) => {
    const entry = written.trim().toLowerCase();
    if (entry === '') return false;
    if (entry === '*') return true;
    if (entry.includes('/')) return isInRange(host, entry);
    const [, name = entry, only] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
    if (only !== undefined && only !== port) return false;
    const bare = name.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0) return host === bare;
    // `.example.com` are the hosts below it, `example.com` is that host and those below.
    if (bare.startsWith('.')) return host.endsWith(bare);
    return host === bare || host.endsWith(`.${bare.replace(/^\*\./, '')}`);
  });
}

function isInRange(host: string, range: string): boolean {
  const [address = '', bits = ''] = range.split('/');
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 6 ? 128 : 32)) return false;
  const list = new BlockList();
  const name = family === 6 ? 'ipv6' : 'ipv4';
  list.addSubnet(address, Number(bits), name);
  return list.check(host, name);
}
