import { createHash } from 'node:crypto';
import { LruMap } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { Token } from './token.ts';

/** Tokens that were given out, until shortly before they end. */
export interface TokenCache {
  /** The token of whoever the access names, for one `purpose`; asked for where there is none. */
  get<Given extends Token>(access: RepositoryAccess, purpose: string, ask: (nowMs: number) => Promise<Given>): Promise<Given>;
}

const TOKENS_MAX = 1000;
/** A token that ends within this time is not used any more: a fetch may take as long. */
const EARLIER_MS = 2 * 60_000;
const IDENTITY_FIELDS = [
  'githubAppID',
  'githubAppInstallationID',
  'githubAppEnterpriseBaseUrl',
  'githubAppPrivateKey',
  'gcpServiceAccountKey',
  'azureServicePrincipalClientId',
  'azureServicePrincipalTenantId',
  'azureServicePrincipalClientSecret',
  'azureActiveDirectoryEndpoint',
] as const;

export function createTokenCache(clock: Clock): TokenCache {
  const tokens = new LruMap<string, Token>(TOKENS_MAX);
  const asking = createSingleFlight<Token>();

  return {
    async get<Given extends Token>(access: RepositoryAccess, purpose: string, ask: (nowMs: number) => Promise<Given>): Promise<Given> {
      const key = identify(access, purpose);
      const known = tokens.get(key);
      // What is kept under a purpose was given for it.
      if (known !== undefined && clock.nowMs() < known.expiresAtMs - EARLIER_MS) return known as Given;
      return (await asking.join(key, async () => {
        const fresh = await ask(clock.nowMs());
        tokens.set(key, fresh);
        return fresh;
      })) as Given;
    },
  };
}

function identify(access: RepositoryAccess, purpose: string): string {
  const values = IDENTITY_FIELDS.map((field) => access[field]?.reveal() ?? '');
  return createHash('sha256')
    .update(JSON.stringify([...values, access.useAzureWorkloadIdentity === true, purpose]))
    .digest('hex');
}
