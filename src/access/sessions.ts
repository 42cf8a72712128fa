import type { JWTPayload } from 'jose';
import { LruMap, type ApiError, type Clock } from '../base/index.ts';
import { adminAccount } from './account.ts';
import type { AdminStore } from './admin-store.ts';
import type { Caller } from './caller.ts';
import { invalidSession, sessionSeconds, signToken, verifyToken } from './session-token.ts';

/** A session with less time left than this is renewed when it is used. */
const renewalSeconds = 5 * 60;
const verifiedTokensMax = 10_000;

export interface Sessions {
  /**
   * Finds out who a token belongs to: nobody when there is none. Rejects with Unauthenticated, saying why, for one that is not
   * good. A good one that was seen before is answered at once, because every call waits for it.
   */
  authenticate(token: string | undefined): Promise<Caller | undefined> | Caller | undefined;
  /** Starts a session of an account whose password has been checked. */
  start(username: string): Promise<string>;
  /** Whether a session in use has so little time left that its client should be given a new token. */
  isRenewalDue(caller: Caller): boolean;
  /** A token for as long as the session at hand was given. */
  renew(caller: Caller): Promise<string>;
  /** Ends a session: from now on its token is refused, also after a restart. */
  revoke(caller: Caller): Promise<void>;
}

export function createSessions({ admin, clock }: { readonly admin: AdminStore; readonly clock: Clock }): Sessions {
  // What a signature proves does not change, so it is checked once. What may change is checked on every use. The tokens themselves
  // are the keys: a hash would cost more than all the rest of a small call, and whoever reads our memory finds the signing key in it.
  let verified = new LruMap<string, JWTPayload>(verifiedTokensMax);
  let verifiedWith: Uint8Array | undefined;

  const sign = async (username: string, lifetimeSeconds: number) =>
    signToken({ subject: `${username}:login`, lifetimeSeconds, signingKey: admin.signingKey, clock });

  /** With another key, nothing that was known holds any more. */
  function currentKey(): Uint8Array {
    const { signingKey } = admin;
    if (signingKey !== verifiedWith) verified = new LruMap(verifiedTokensMax);
    verifiedWith = signingKey;
    return signingKey;
  }

  async function verify(token: string): Promise<Caller> {
    const signingKey = currentKey();
    verified.delete(token);
    const claims = await verifyToken(token, signingKey, clock);
    // The key may have been replaced meanwhile.
    if (signingKey === currentKey()) verified.set(token, claims);
    return readCaller(claims, admin);
  }

  return {
    authenticate(token) {
      if (token === undefined || token === '') return undefined;
      try {
        currentKey();
        const known = verified.get(token);
        return known === undefined || !isCurrent(known, clock) ? verify(token) : readCaller(known, admin);
      } catch (error) {
        return Promise.reject(error as ApiError);
      }
    },
    start: (username) => sign(username, sessionSeconds),
    isRenewalDue: ({ capability, expiresAt }) =>
      capability === 'login' && expiresAt !== undefined && expiresAt - clock.nowMs() / 1000 < renewalSeconds,
    renew: ({ username, issuedAt, expiresAt }) => sign(username, expiresAt === undefined ? sessionSeconds : expiresAt - issuedAt),
    async revoke(caller) {
      // A token that never expires would have to be remembered for ever; it is ended by deleting it from its account.
      if (caller.expiresAt !== undefined) await admin.revoke(caller.tokenId, caller.expiresAt);
    },
  };
}

/** Whether the times that were checked with the signature still hold. */
function isCurrent(claims: JWTPayload, clock: Clock): boolean {
  const nowSeconds = Math.floor(clock.nowMs() / 1000);
  return (claims.exp === undefined || claims.exp > nowSeconds) && (claims.nbf === undefined || claims.nbf <= nowSeconds);
}

/** The order of the checks decides which reason a client reads. */
function readCaller(claims: JWTPayload, admin: AdminStore): Caller {
  const [username = '', suffix] = (claims.sub ?? '').split(':');
  const capability = suffix === 'login' ? 'login' : 'apiKey';
  if (username !== adminAccount.name) throw invalidSession(`account '${username}' does not exist`);
  if (!admin.enabled) throw invalidSession(`account ${username} is disabled`);
  if (!adminAccount.capabilities.includes(capability)) throw invalidSession(`account ${username} does not have '${capability}' capability`);
  if (typeof claims.jti !== 'string' || claims.jti === '') {
    throw invalidSession('token does not have a unique identifier (jti claim) and cannot be validated');
  }
  if (admin.isRevoked(claims.jti)) throw invalidSession('token is revoked, please re-login');
  const issuedAt = claims.iat ?? 0;
  if (issuedAt < admin.passwordChangedAt) throw invalidSession('account password has changed since token issued');
  return { username, issuer: claims.iss ?? '', groups: [], capability, tokenId: claims.jti, issuedAt, expiresAt: claims.exp };
}
