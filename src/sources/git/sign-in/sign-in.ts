import { createHash } from 'node:crypto';
import { LruMap } from '../../../base/index.ts';
import type { Clock } from '../../../base/index.ts';
import { Sealed } from '../../../settings/index.ts';
import type { HttpGet } from '../../http/http-request.ts';
import type { RepositoryAccess } from '../../repository-access.ts';
import { createSingleFlight } from '../../single-flight.ts';
import type { WorkloadIdentity } from '../../sources.ts';
import type { GitUrl } from '../git-url.ts';
import { askAsServicePrincipal, askAsWorkload } from './azure-identity.ts';
import { askForInstallationToken } from './github-app.ts';
import { askWithServiceAccountKey } from './google-key.ts';
import type { Token, TokenRequest } from './token.ts';

export interface SignInOptions {
  readonly get: HttpGet;
  readonly clock: Clock;
  readonly workloadIdentity: WorkloadIdentity | undefined;
}

/** Completes an access with a token where its credentials are not sent themselves, but exchanged for one. Throws a SignInError. */
export type SignIn = (access: RepositoryAccess, url: GitUrl) => Promise<RepositoryAccess>;

type Completed = Token & { readonly complete: (access: RepositoryAccess) => RepositoryAccess };
type Ask = (request: TokenRequest) => Promise<Completed>;

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

export function createSignIn({ get, clock, workloadIdentity }: SignInOptions): SignIn {
  const tokens = new LruMap<string, Completed>(TOKENS_MAX);
  const asking = createSingleFlight<Completed>();

  function chooseProvider(access: RepositoryAccess): Ask | undefined {
    const has = (secret: Sealed<string> | undefined): boolean => (secret?.reveal() ?? '') !== '';
    if ([access.password, access.bearerToken, access.sshPrivateKey].some(has)) return undefined;
    if (has(access.githubAppPrivateKey)) return async (request) => asPassword(await askForInstallationToken(request), 'x-access-token');
    if (has(access.gcpServiceAccountKey))
      return async (request) => {
        const token = await askWithServiceAccountKey(request);
        return asPassword(token, token.username);
      };
    if (access.useAzureWorkloadIdentity === true) return async (request) => asBearer(await askAsWorkload(request, workloadIdentity));
    if (
      has(access.azureServicePrincipalClientSecret) &&
      has(access.azureServicePrincipalClientId) &&
      has(access.azureServicePrincipalTenantId)
    )
      return async (request) => asBearer(await askAsServicePrincipal(request));
    return undefined;
  }

  return async (access, url) => {
    const ask = url.transport === 'https' || url.transport === 'http' ? chooseProvider(access) : undefined;
    if (ask === undefined) return access;
    const key = identify(access, url);
    const known = tokens.get(key);
    if (known !== undefined && clock.nowMs() < known.expiresAtMs - EARLIER_MS) return known.complete(access);
    const token = await asking.join(key, async () => {
      const fresh = await ask({ access, path: url.path, get, nowMs: clock.nowMs() });
      tokens.set(key, fresh);
      return fresh;
    });
    return token.complete(access);
  };
}

/** Whose token it is. Only of an app without a stated installation does it depend on the repository. */
function identify(access: RepositoryAccess, { host, path }: GitUrl): string {
  const values = IDENTITY_FIELDS.map((field) => access[field]?.reveal() ?? '');
  const place = (access.githubAppInstallationID?.reveal() ?? '') === '' ? `${host}${path}` : '';
  return createHash('sha256')
    .update(JSON.stringify([...values, access.useAzureWorkloadIdentity === true, place]))
    .digest('hex');
}

function asPassword(token: Token, username: string): Completed {
  return { ...token, complete: (access) => ({ ...access, username: new Sealed(username), password: new Sealed(token.text) }) };
}

function asBearer(token: Token): Completed {
  return { ...token, complete: (access) => ({ ...access, bearerToken: new Sealed(token.text) }) };
}
