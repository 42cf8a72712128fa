import type { JWTPayload } from 'jose';
import { decodeJwt } from 'jose/jwt/decode';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { ApiError, Code, type Clock } from '../base/index.ts';

/** Of tokens that we sign ourselves. */
export const localIssuer = 'argocd';

const algorithm = 'HS256';
/** Longer than any token of ours, and short enough to be looked at whatever it holds. */
const tokenLengthMax = 16 * 1024;
/** Providers put all the groups of somebody into theirs. */
const foreignLengthMax = 64 * 1024;

export interface TokenOptions {
  readonly subject: string;
  readonly id: string;
  /** In seconds since the epoch. */
  readonly issuedAt: number;
  /** In seconds since the epoch; undefined for a token that does not expire. */
  readonly expiresAt: number | undefined;
  readonly signingKey: Uint8Array;
}

export function signToken({ subject, id, issuedAt, expiresAt, signingKey }: TokenOptions): Promise<string> {
  const token = new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuer(localIssuer)
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setJti(id);
  return (expiresAt === undefined ? token : token.setExpirationTime(expiresAt)).sign(signingKey);
}

/** Whether a token says that somebody else signed it. What cannot be read is taken for ours, and refused as such. */
export function isForeignToken(token: string): boolean {
  if (token.length > foreignLengthMax) return false;
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' && iss !== '' && iss !== localIssuer;
  } catch {
    return false;
  }
}

/** Checks issuer, signature and times; throws Unauthenticated. */
export async function verifyToken(token: string, signingKey: Uint8Array, clock: Clock): Promise<JWTPayload> {
  if (token.length > tokenLengthMax) throw invalidSession('token is malformed: it is too long');
  try {
    // Only our own issuer's tokens are ours to verify; those of an SSO provider need its keys.
    if (decodeJwt(token).iss !== localIssuer) throw invalidSession('SSO is not configured');
    const currentDate = new Date(clock.nowMs());
    const { payload } = await jwtVerify(token, signingKey, { algorithms: [algorithm], issuer: localIssuer, currentDate });
    return payload;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw invalidSession(describeFailure(error));
  }
}

export function invalidSession(reason: string): ApiError {
  return new ApiError(Code.Unauthenticated, `invalid session: ${reason}`);
}

/** The reason in words that never repeat what the token holds. */
function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ERR_JWT_EXPIRED':
      return 'token has invalid claims: token is expired';
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return 'token has invalid claims: token is not valid yet, or a claim has the wrong type';
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return 'token signature is invalid: signature is invalid';
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
      return 'token signature is invalid: signing method is invalid';
    default:
      return 'token is malformed';
  }
}
