import { readFile } from 'node:fs/promises';
import { trimEndOf } from '../../base/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { WorkloadIdentity } from '../sources.ts';
import { askProvider } from './ask-provider.ts';
import { SignInError } from './sign-in-error.ts';
import type { Token, TokenRequest } from './token.ts';

const DEFAULT_AUTHORITY = 'https://login.microsoftonline.com';
/** What a token is for: the application id of Azure DevOps, for git, or what registries exchange for a token of their own. */
export const azureScopes = {
  git: '499b84ac-1321-427f-aa17-267ca6975798/.default',
  registry: 'https://management.core.windows.net/.default',
};
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const TOKEN_SECONDS = 3600;

type Scope = (typeof azureScopes)[keyof typeof azureScopes];

/** A token for whoever the access says: a service principal, which has a secret, or this process. Undefined where it names neither. */
export function chooseAzureIdentity(
  access: RepositoryAccess,
  identity: WorkloadIdentity | undefined,
): ((request: TokenRequest, scope: Scope) => Promise<Token>) | undefined {
  if (access.useAzureWorkloadIdentity === true) return (request, scope) => askAsWorkload(request, identity, scope);
  const { azureServicePrincipalClientId: id, azureServicePrincipalTenantId: tenant, azureServicePrincipalClientSecret: secret } = access;
  const isPrincipal = [id, tenant, secret].every((field) => (field?.reveal() ?? '') !== '');
  return isPrincipal ? askAsServicePrincipal : undefined;
}

/** A token for the identity that this process has in its cluster: the cluster's own token is exchanged for it. */
async function askAsWorkload(request: TokenRequest, identity: WorkloadIdentity | undefined, scope: Scope): Promise<Token> {
  if (identity === undefined)
    throw new SignInError(
      'this process has no workload identity: AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_FEDERATED_TOKEN_FILE say which',
    );
  const assertion = await readFile(identity.tokenFile, 'utf8').catch(() => {
    throw new SignInError('the token of the workload identity cannot be read');
  });
  return await exchange(request, identity.authority || DEFAULT_AUTHORITY, identity.tenantId, {
    client_id: identity.clientId,
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: assertion.trim(),
    scope,
  });
}

async function askAsServicePrincipal(request: TokenRequest, scope: Scope): Promise<Token> {
  const { access } = request;
  const authority = access.azureActiveDirectoryEndpoint?.reveal() || DEFAULT_AUTHORITY;
  return await exchange(request, authority, access.azureServicePrincipalTenantId?.reveal() ?? '', {
    client_id: access.azureServicePrincipalClientId?.reveal() ?? '',
    client_secret: access.azureServicePrincipalClientSecret?.reveal() ?? '',
    scope,
  });
}

async function exchange(request: TokenRequest, authority: string, tenant: string, form: Record<string, string>): Promise<Token> {
  const url = `${trimEndOf(authority, '/')}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
  const answer = await askProvider(request, { url, form: { ...form, grant_type: 'client_credentials' } });
  const { access_token: token, expires_in: seconds } = answer;
  if (typeof token !== 'string' || token === '') throw new SignInError('the provider of the identity gave no token');
  return { text: token, expiresAtMs: request.nowMs + (typeof seconds === 'number' ? seconds : TOKEN_SECONDS) * 1000 };
}
