import { lookup } from 'node:dns/promises';
import { createSingleFlight } from '../single-flight.ts';

/** Why a name has no address: fit for a caller. */
export class LookupFailure extends Error {}

/** The addresses of a host. */
export type LookUpHost = (host: string) => Promise<readonly string[]>;

/**
 * Asks once for all who want the same host at the same time: the system looks only few names up at once, and all who need another one
 * would wait behind the many repositories of a server whose name nobody answers for.
 */
export function createHostLookup(ask: (host: string) => Promise<readonly { readonly address: string }[]> = askSystem): LookUpHost {
  const asking = createSingleFlight<readonly string[]>();
  return (host) =>
    asking.join(host, async () => {
      try {
        return (await ask(host)).map(({ address }) => address);
      } catch (error) {
        const isUnknown = error instanceof Error && 'code' in error && error.code === 'EAI_AGAIN';
        throw new LookupFailure(`dial tcp: lookup ${host}: no such host${isUnknown ? ', or no name server that answers' : ''}`);
      }
    });
}

function askSystem(host: string): Promise<readonly { readonly address: string }[]> {
  return lookup(host, { all: true });
}
