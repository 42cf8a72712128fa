import type { JWTPayload } from 'jose';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import type { Clock } from '../../base/index.ts';
import { invalidSession } from '../session-token.ts';
import { describeProviderFailure } from './describe-provider-failure.ts';
import type { Discovered, Provider } from './provider.ts';
import type { SsoProviderConfig } from './sso-settings.ts';

/** More than fits into the cookies of a browser. */
const tokenLengthMax = 64 * 1024;

/** What is wrong is said to nobody: only whoever makes up tokens would learn from it. */
const refusal = 'failed to verify the token';

/** Failures that lie in the token. All others lie in the keys not being there. */
const tokenFailures = /^ERR_(?:JW[ST]_|JOSE_(?:ALG_NOT_ALLOWED|NOT_SUPPORTED)|JWKS_(?:NO|MULTIPLE)_MATCHING)/;

export interface IdTokenClaims extends JWTPayload {
  readonly exp: number;
  readonly iat: number;
}

/** Checks issuer, signature, algorithm, times and audience of a token. Rejects with Unauthenticated, or Unavailable without keys. */
export async function verifyIdToken(provider: Provider, token: string, clock: Clock): Promise<IdTokenClaims> {
  // Nobody is asked about a token that does not even say that it is of this provider.
  if (token.length > tokenLengthMax || !isSameIssuer(readIssuer(token), provider.config.issuer)) throw invalidSession(refusal);
  const discovered = await provider.discover();
  const claims = await verifySignature(provider, discovered, token, clock);
  const { exp, iat } = claims;
  // Numbers of any size are numbers in JSON; a time is not.
  if (!isTime(exp) || !isTime(iat)) throw invalidSession(refusal);
  if (!isForUs(claims, provider.config)) throw invalidSession(refusal);
  return { ...claims, exp, iat };
}

async function verifySignature(
  provider: Provider,
  { keys, algorithms, issuer }: Discovered,
  token: string,
  clock: Clock,
): Promise<JWTPayload> {
  const currentDate = new Date(clock.nowMs());
  try {
    return (await jwtVerify(token, keys, { algorithms: [...algorithms], issuer, currentDate, requiredClaims: ['exp', 'iat', 'sub'] }))
      .payload;
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    if (typeof code === 'string' && tokenFailures.test(code)) throw invalidSession(refusal);
    throw describeProviderFailure(provider.config, error);
  }
}

function readIssuer(token: string): string {
  try {
    return decodeJwt(token).iss ?? '';
  } catch {
    // Whatever it is, it is not a token of a provider.
    return '';
  }
}

/** A slash at the end is easily forgotten; which form is right is known once the provider was asked. */
function isSameIssuer(one: string, other: string): boolean {
  return one !== '' && one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(Math.trunc(value)) && value > 0;
}

function isForUs({ aud, azp }: JWTPayload, config: SsoProviderConfig): boolean {
  const clients = [config.clientID, config.cliClientID].filter((id) => id !== '');
  const isWidened = config.allowedAudiences.length > 0;
  // Who it was issued to matters, unless whoever configured this named the audiences to take.
  if (!isWidened && azp !== undefined && !clients.includes(azp as string)) return false;
  const audiences: readonly unknown[] = aud === undefined ? [] : [aud].flat();
  if (audiences.length === 0) return config.skipAudienceCheckWhenTokenHasNoAudience && aud === undefined;
  const allowed = isWidened ? config.allowedAudiences : clients;
  return audiences.some((audience) => typeof audience === 'string' && allowed.includes(audience));
}
