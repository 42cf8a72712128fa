import type { LookupAddress } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { createSingleFlight } from '../single-flight.ts';

/** Where a machine keeps what nobody outside may read: the metadata services of clouds are here. */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');
linkLocal.addAddress('fd00:ec2::254', 'ipv6');

/** The machine itself, also by the addresses that mean any of its own. */
const ownMachine = new BlockList();
ownMachine.addSubnet('127.0.0.0', 8, 'ipv4');
ownMachine.addSubnet('0.0.0.0', 8, 'ipv4');
ownMachine.addAddress('::1', 'ipv6');
ownMachine.addAddress('::', 'ipv6');

export class EgressRefused extends Error {}

/** Throws where an address must not be connected to. It is the address that counts, not the name that led to it. */
export function checkAddress(address: string, { allowOwnMachine }: { readonly allowOwnMachine: boolean }): void {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (linkLocal.check(address, family)) throw new EgressRefused('addresses of the local link are not allowed');
  if (!allowOwnMachine && ownMachine.check(address, family)) throw new EgressRefused('addresses of this machine are not allowed here');
}

/** Whether a host is written as this machine. */
export function isOwnMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(host) !== 0) return ownMachine.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
  return host === 'localhost' || host.endsWith('.localhost');
}

/** The system looks only few names up at once: many requests to one server whose name nobody answers for would hold up all others. */
const looking = createSingleFlight<LookupAddress[]>();

/** Looks names up and hands out only addresses that may be connected to: what is connected to is what was checked. */
export function checkedLookup(rule: { readonly allowOwnMachine: boolean }): LookupFunction {
  return (hostname, options, done) => {
    const hand = (addresses: LookupAddress[]): void => {
      try {
        for (const { address } of addresses) checkAddress(address, rule);
      } catch (refused) {
        return done(refused as Error, '', 0);
      }
      const [first] = addresses;
      if (options.all === true) return done(null, addresses);
      return done(null, first?.address ?? '', first?.family ?? 0);
    };
    const fail = (error: unknown): void => done(error as NodeJS.ErrnoException, '', 0);
    const key = JSON.stringify([hostname, options.family ?? 0, options.hints ?? 0]);
    looking.join(key, () => lookUp(hostname, { ...options, all: true })).then(hand, fail);
  };
}
