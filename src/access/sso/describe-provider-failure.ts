import { ApiError, Code } from '../../base/index.ts';
import type { SsoProviderConfig } from './sso-settings.ts';

/** Words for what the operating system, TLS and the OpenID library call by a code. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  ABORT_ERR: 'it does not answer in time',
  OAUTH_TIMEOUT: 'it does not answer in time',
  ERR_JWKS_TIMEOUT: 'it does not answer in time',
  OAUTH_ABORT: 'it does not answer in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; set rootCA to it',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an unknown authority; set rootCA to that',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an unknown authority; set rootCA to that',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an unknown authority; set rootCA to that',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_INVALID_URL: 'the issuer is not an address',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'its answer is not that of an OpenID provider',
  OAUTH_RESPONSE_IS_NOT_JSON: 'its answer is not that of an OpenID provider',
  OAUTH_PARSE_ERROR: 'its answer is not that of an OpenID provider',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'it calls itself by another issuer than oidc.config',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'its configuration names an address without TLS',
};

/** Tells why a provider is of no use now. Repeats nothing that it answered: codes and tokens may be in it. */
export function describeProviderFailure({ issuer }: Pick<SsoProviderConfig, 'issuer'>, error: unknown): ApiError {
  const reason = findReason(error) ?? 'it cannot be asked';
  return new ApiError(Code.Unavailable, `the SSO provider ${hideCredentials(issuer)} cannot be used: ${reason}`);
}

function findReason(error: unknown): string | undefined {
  let cause = error;
  let found: string | undefined;
  // The innermost reason says the most. Causes could go round in a circle.
  for (let depth = 0; depth < 8 && cause instanceof Error; depth += 1) {
    if (cause instanceof ApiError) return cause.message;
    if (cause.name === 'TimeoutError') return reasons['ABORT_ERR'];
    const code: unknown = 'code' in cause ? cause.code : undefined;
    if (typeof code === 'string' && Object.hasOwn(reasons, code)) found = reasons[code];
    cause = cause.cause;
  }
  return found;
}

function hideCredentials(issuer: string): string {
  if (!URL.canParse(issuer)) return '';
  const { origin, pathname } = new URL(issuer);
  return `${origin}${pathname}`;
}
