import { ApiError, Code } from '../../base/index.ts';
import { Sealed } from '../../settings/index.ts';
import type { GitUrl } from '../git/git-url.ts';
import type { HttpGet } from '../http/http-request.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { WorkloadIdentity } from '../sources.ts';
import { azureScopes, chooseAzureIdentity } from './azure-identity.ts';
import { askForInstallationToken } from './github-app.ts';
import { askWithServiceAccountKey } from './google-key.ts';
import { exchangeForRegistry, registryUser } from './registry-exchange.ts';
import { SignInError } from './sign-in-error.ts';
import type { Token, TokenRequest } from './token.ts';
import type { TokenCache } from './token-cache.ts';

export interface SignInOptions {
  readonly get: HttpGet;
  readonly tokens: TokenCache;
  readonly workloadIdentity: WorkloadIdentity | undefined;
}

/** Completes an access with a token where its credentials are not sent themselves, but exchanged for one. Throws a SignInError. */
export type SignIn = (access: RepositoryAccess, url: GitUrl) => Promise<RepositoryAccess>;

/** The same for a server of charts or artifacts; `origin` is its scheme, host and port. Throws an ApiError. */
export type SignInToRegistry = (access: RepositoryAccess, origin: string) => Promise<RepositoryAccess>;

type Complete = (access: RepositoryAccess) => RepositoryAccess;
type Ask = (request: TokenRequest) => Promise<Token & { readonly complete: Complete }>;

/** What Google's registries call whoever has a token. */
const GOOGLE_USER = 'oauth2accesstoken';

export function createSignIn({ get, tokens, workloadIdentity }: SignInOptions): SignIn {
  function chooseProvider(access: RepositoryAccess): Ask | undefined {
    if (has(access.sshPrivateKey)) return undefined;
    if (has(access.githubAppPrivateKey)) return async (request) => asPassword(await askForInstallationToken(request), 'x-access-token');
    if (has(access.gcpServiceAccountKey))
      return async (request) => {
        const token = await askWithServiceAccountKey(request);
        return asPassword(token, token.username);
      };
    const ask = chooseAzureIdentity(access, workloadIdentity);
    return ask && (async (request) => asBearer(await ask(request, azureScopes.git)));
  }

  return async (access, url) => {
    const isHttp = url.transport === 'https' || url.transport === 'http';
    const ask = isHttp && !isComplete(access) ? chooseProvider(access) : undefined;
    if (ask === undefined) return access;
    // Only of an app without a stated installation does it depend on the repository.
    const place = has(access.githubAppInstallationID) ? '' : `${url.host}${url.path}`;
    const token = await tokens.get(access, `git ${place}`, (nowMs) => ask({ access, path: url.path, get, nowMs }));
    return token.complete(access);
  };
}

export function createRegistrySignIn({ get, tokens, workloadIdentity }: SignInOptions): SignInToRegistry {
  function chooseProvider(access: RepositoryAccess, origin: string): Ask | undefined {
    if (has(access.gcpServiceAccountKey)) return async (request) => asPassword(await askWithServiceAccountKey(request), GOOGLE_USER);
    const ask = chooseAzureIdentity(access, workloadIdentity);
    if (ask === undefined) return undefined;
    return async (request) =>
      asPassword(await exchangeForRegistry(request, origin, () => ask(request, azureScopes.registry)), registryUser);
  }

  return async (access, origin) => {
    const ask = isComplete(access) ? undefined : chooseProvider(access, origin);
    if (ask === undefined) return access;
    try {
      const token = await tokens.get(access, `registry ${origin}`, (nowMs) => ask({ access, path: '', get, nowMs }));
      return token.complete(access);
    } catch (error) {
      throw error instanceof SignInError ? new ApiError(Code.Unknown, `signing in failed: ${error.message}`) : error;
    }
  };
}

/** Whether a server of charts or artifacts is told who asks. */
export function signsInToRegistry(access: RepositoryAccess): boolean {
  if (has(access.username) && has(access.password)) return true;
  return has(access.gcpServiceAccountKey) || chooseAzureIdentity(access, undefined) !== undefined;
}

/** Whether it has something that is sent as it is. */
function isComplete({ password, bearerToken }: RepositoryAccess): boolean {
  return has(password) || has(bearerToken);
}

function has(secret: Sealed<string> | undefined): boolean {
  return (secret?.reveal() ?? '') !== '';
}

function asPassword(token: Token, username: string): Token & { readonly complete: Complete } {
  return { ...token, complete: (access) => ({ ...access, username: new Sealed(username), password: new Sealed(token.text) }) };
}

function asBearer(token: Token): Token & { readonly complete: Complete } {
  return { ...token, complete: (access) => ({ ...access, bearerToken: new Sealed(token.text) }) };
}
