import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { ApiError, Code, LruMap, type Clock } from '../base/index.ts';
import type { AccountStore } from './account-store.ts';
import { isProjectSubject, type Caller } from './caller.ts';
import { readProjectCaller, signProjectToken, type IsProjectTokenIssued, type ProjectToken } from './project-token.ts';
import { invalidSession, isForeignToken, localIssuer, signToken, verifyToken } from './session-token.ts';
import type { Sso } from './sso/create-sso.ts';

/** A session with less time left than this is renewed when it is used. */
const renewalSeconds = 5 * 60;
const verifiedTokensMax = 10_000;

/** A token with a good signature. */
interface Verified {
  readonly claims: JWTPayload;
  readonly caller: Caller;
}

/** Times are in seconds since the epoch. */
export interface AccountToken {
  readonly account: string;
  readonly id: string;
  readonly issuedAt: number;
  /** Undefined where it never expires. */
  readonly expiresAt: number | undefined;
}

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
  /** A token for programs that use an account. It counts as long as the account knows of it. */
  signForAccount(token: AccountToken): Promise<string>;
  /** A token for a role of a project. It counts as long as the project knows of it. */
  signForProject(token: ProjectToken): Promise<string>;
  /**
   * Ends a session: from now on its token is refused, by every replica and also after a restart. Where the home is only read, by this
   * process for as long as it runs: it is all that there is then. Rejects where the end could not be stored for another reason.
   */
  revoke(caller: Caller): Promise<void>;
}

export interface SessionsOptions {
  readonly accounts: AccountStore;
  /** Asked on every use of a token of a project. No project has any unless given. */
  readonly isProjectTokenIssued?: IsProjectTokenIssued;
  /** For tokens that others than we sign. None of them is good unless given. */
  readonly sso?: Pick<Sso, 'recall' | 'verify' | 'forget' | 'isRenewalDue' | 'renew'>;
  readonly clock: Clock;
}

export function createSessions({ accounts, isProjectTokenIssued = () => false, sso, clock }: SessionsOptions): Sessions {
  // What a signature proves does not change, so it is checked once. What may change is checked on every use. The tokens themselves
  // are the keys: a hash would cost more than all the rest of a small call, and whoever reads our memory finds the signing key in it.
  let verified = new LruMap<string, Verified>(verifiedTokensMax);
  let verifiedWith: Uint8Array | undefined;

  async function sign(username: string, lifetimeSeconds: number): Promise<string> {
    const issuedAt = Math.floor(clock.nowMs() / 1000);
    const { signingKey } = accounts;
    return signToken({ subject: `${username}:login`, id: randomUUID(), issuedAt, expiresAt: issuedAt + lifetimeSeconds, signingKey });
  }

  function identify({ claims, caller }: Verified): Caller {
    if (!isProjectSubject(caller.username)) {
      checkAccount(claims, caller, accounts);
      return caller;
    }
    const ofProject = readProjectCaller(claims, isProjectTokenIssued) ?? caller;
    if (accounts.isRevoked(ofProject.tokenId)) throw invalidSession('token is revoked, please re-login');
    return ofProject;
  }

  /** With another key, nothing that was known holds any more. */
  function currentKey(): Uint8Array {
    const { signingKey } = accounts;
    if (signingKey !== verifiedWith) verified = new LruMap(verifiedTokensMax);
    verifiedWith = signingKey;
    return signingKey;
  }

  async function verify(token: string): Promise<Caller> {
    if (sso !== undefined && isForeignToken(token)) return sso.verify(token);
    const signingKey = currentKey();
    verified.delete(token);
    const claims = await verifyToken(token, signingKey, clock);
    const known = { claims, caller: toCaller(claims) };
    // The key may have been replaced meanwhile.
    if (signingKey === currentKey()) verified.set(token, known);
    return identify(known);
  }

  return {
    authenticate(token) {
      if (token === undefined || token === '') return undefined;
      try {
        currentKey();
        const known = verified.get(token);
        if (known !== undefined && isCurrent(known.claims, clock)) return identify(known);
        return sso?.recall(token) ?? verify(token);
      } catch (error) {
        return Promise.reject(error as ApiError);
      }
    },
    start: (username) => sign(username, accounts.sessionSeconds),
    isRenewalDue(caller) {
      const { issuer, capability, expiresAt } = caller;
      // Whoever a provider vouches for has no account here that a token of ours could be for.
      if (issuer !== localIssuer) return sso?.isRenewalDue(caller) ?? false;
      return capability === 'login' && expiresAt !== undefined && expiresAt - clock.nowMs() / 1000 < renewalSeconds;
    },
    async renew(caller) {
      const { issuer, username, issuedAt, expiresAt } = caller;
      if (issuer === localIssuer) return sign(username, expiresAt === undefined ? accounts.sessionSeconds : expiresAt - issuedAt);
      if (sso === undefined) throw invalidSession('SSO is not configured');
      return sso.renew(caller);
    },
    signForAccount: async ({ account, ...token }) => signToken({ ...token, subject: `${account}:apiKey`, signingKey: accounts.signingKey }),
    signForProject: async (token) => signProjectToken(token, accounts.signingKey),
    async revoke(caller) {
      sso?.forget(caller.tokenId);
      // A token that never expires would have to be remembered for ever; it is ended by deleting it from its account.
      if (caller.expiresAt === undefined) return;
      try {
        await accounts.revoke(caller.tokenId, caller.expiresAt);
      } catch (error) {
        // Nothing is ever written there (shadow mode): trying again, as clients are told to otherwise, would change nothing.
        if (!(error instanceof ApiError) || error.code !== Code.FailedPrecondition) throw error;
      }
    },
  };
}

/** Whether the times that were checked with the signature still hold. */
function isCurrent(claims: JWTPayload, clock: Clock): boolean {
  const nowSeconds = Math.floor(clock.nowMs() / 1000);
  return (claims.exp === undefined || claims.exp > nowSeconds) && (claims.nbf === undefined || claims.nbf <= nowSeconds);
}

/** Who a token was issued for. The same object on every use, so that whoever asks about them again finds it. */
function toCaller(claims: JWTPayload): Caller {
  const { sub = '', jti = '', iss = '', iat = 0, exp } = claims;
  const common = { issuer: iss, groups: [], issuedAt: iat, expiresAt: exp };
  if (isProjectSubject(sub)) return { ...common, username: sub, capability: 'apiKey', tokenId: jti };
  const [username = '', suffix] = sub.split(':');
  // Ids of sessions are made up by us, those of other tokens by people: ending one account's `ci` must not end another's.
  if (suffix === 'login') return { ...common, username, capability: 'login', tokenId: jti };
  return { ...common, username, capability: 'apiKey', tokenId: `${username}:apiKey:${jti}` };
}

/** Throws Unauthenticated where a token does not count any more. The order of the checks decides which reason a client reads. */
function checkAccount({ jti }: JWTPayload, { username, capability, tokenId, issuedAt }: Caller, accounts: AccountStore): void {
  const account = accounts.find(username);
  if (account === undefined) throw invalidSession(`account '${username}' does not exist`);
  if (!account.enabled) throw invalidSession(`account ${username} is disabled`);
  if (!account.capabilities.includes(capability)) throw invalidSession(`account ${username} does not have '${capability}' capability`);
  if (typeof jti !== 'string' || jti === '') {
    throw invalidSession('token does not have a unique identifier (jti claim) and cannot be validated');
  }
  if (accounts.isRevoked(tokenId)) throw invalidSession('token is revoked, please re-login');
  if (capability === 'apiKey' && !account.hasToken(jti)) throw invalidSession(`account ${username} does not have token with id ${jti}`);
  if (issuedAt < account.passwordChangedAt) throw invalidSession('account password has changed since token issued');
}
