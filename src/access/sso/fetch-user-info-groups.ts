import type { JWTPayload } from 'jose';
import { ApiError, Code } from '../../base/index.ts';
import { invalidSession } from '../session-token.ts';
import { describeProviderFailure } from './describe-provider-failure.ts';
import { checkEndpoint, type Provider } from './provider.ts';
import { readGroups } from './read-identity.ts';

export interface UserInfoRequest {
  readonly accessToken: string;
  /** Whose groups are wanted. */
  readonly subject: string | undefined;
  readonly groupClaims: readonly string[];
}

/** Asks the provider for groups that are not in the token. */
export async function fetchUserInfoGroups(provider: Provider, request: UserInfoRequest): Promise<readonly string[]> {
  const { config } = provider;
  const { userInfoEndpoint } = await provider.discover();
  let answer: Response;
  try {
    const issuer = new URL(config.issuer);
    const named = config.userInfoPath === '' ? userInfoEndpoint : joinAddress(config.userInfoBaseURL || config.issuer, config.userInfoPath);
    if (named === undefined) throw new ApiError(Code.Unavailable, 'it names no userinfo endpoint; set userInfoPath');
    const headers = { authorization: `Bearer ${request.accessToken}`, accept: 'application/json' };
    answer = await provider.fetch(checkEndpoint(named, issuer).href, { headers });
  } catch (error) {
    throw describeProviderFailure(config, error);
  }
  if (answer.status === 401 || answer.status === 403)
    throw invalidSession('the provider does not know this session any more, please re-login');
  const claims = answer.status === 200 ? await readClaims(answer) : undefined;
  if (claims === undefined)
    throw describeProviderFailure(config, new ApiError(Code.Unavailable, 'its userinfo endpoint answers otherwise'));
  // An access token that got mixed up would give somebody the groups of another.
  if (claims.sub !== request.subject) throw invalidSession('failed to verify the token');
  return readGroups(claims, request.groupClaims);
}

function joinAddress(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}

async function readClaims(answer: Response): Promise<JWTPayload | undefined> {
  try {
    const claims: unknown = await answer.json();
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? (claims as JWTPayload) : undefined;
  } catch {
    // Not JSON: signed answers are for clients that asked the provider for them.
    return undefined;
  }
}
