import { readFile } from 'node:fs/promises';
import type { WorkloadIdentity } from '../../sources.ts';
import { askProvider } from './ask-provider.ts';
import { SignInError } from './sign-in-error.ts';
import type { Token, TokenRequest } from './token.ts';

const DEFAULT_AUTHORITY = 'https://login.microsoftonline.com';
/** The application id of Azure DevOps. */
const SCOPE = '499b84ac-1321-427f-aa17-267ca6975798/.default';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const TOKEN_SECONDS = 3600;

/** A token for the identity that this process has in its cluster: the cluster's own token is exchanged for it. */
export async function askAsWorkload(request: TokenRequest, identity: WorkloadIdentity | undefined): Promise<Token> {
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
  });
}

/** A token for a service principal, which has a secret. */
export async function askAsServicePrincipal(request: TokenRequest): Promise<Token> {
  const { access } = request;
  const authority = access.azureActiveDirectoryEndpoint?.reveal() || DEFAULT_AUTHORITY;
  return await exchange(request, authority, access.azureServicePrincipalTenantId?.reveal() ?? '', {
    client_id: access.azureServicePrincipalClientId?.reveal() ?? '',
    client_secret: access.azureServicePrincipalClientSecret?.reveal() ?? '',
  });
}

async function exchange(request: TokenRequest, authority: string, tenant: string, form: Record<string, string>): Promise<Token> {
  const url = `${authority.replace(/\/+$/, '')}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
  const answer = await askProvider(request, { url, form: { ...form, scope: SCOPE, grant_type: 'client_credentials' } });
  const { access_token: token, expires_in: seconds } = answer;
  if (typeof token !== 'string' || token === '') throw new SignInError('the provider of the identity gave no token');
  return { text: token, expiresAtMs: request.nowMs + (typeof seconds === 'number' ? seconds : TOKEN_SECONDS) * 1000 };
}
