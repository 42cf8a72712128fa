import { LruMap, type Clock, type Logger } from '../../base/index.ts';
import type { AccountStore } from '../account-store.ts';
import type { Caller } from '../caller.ts';
import { invalidSession } from '../session-token.ts';
import { fetchUserInfoGroups } from './fetch-user-info-groups.ts';
import type { Provider } from './provider.ts';
import { formerTokenId, identifyToken, readGroups, readIdentity } from './read-identity.ts';
import { verifyIdToken, type IdTokenClaims } from './verify-id-token.ts';

const tokensMax = 5_000;
/** A token is held against the provider's keys again after this time: a key may have been taken back. */
const verifiedMs = 5 * 60_000;
/** How long groups from the provider count where that is not configured. */
const userInfoMs = 60_000;
/** After a refresh that failed, the next try waits. */
const refreshPauseMs = 30_000;

/** What a provider handed out with a token, for as long as this process lives. */
export interface Grant {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** When its user signed in. Seconds since the epoch. */
  readonly startedAt: number;
}

interface KeptGrant extends Grant {
  readonly token: string;
  refreshAfterMs: number;
  renewing?: Promise<string>;
}

interface Verified {
  readonly caller: Caller;
  readonly formerId: string;
  readonly groupClaims: readonly string[];
  readonly untilMs: number;
}

/** The tokens of one provider, in one configuration. */
export interface SsoTokens {
  readonly provider: Provider;
  /** Whose a token is that was verified before; undefined when it has to be verified. */
  recall(token: string): Caller | undefined;
  /** Rejects with Unauthenticated or, when the provider is needed and cannot be asked, Unavailable. */
  verify(token: string): Promise<Caller>;
  /** Remembers what came with a token. */
  keepGrant(token: string, grant: Grant): void;
  forget(tokenId: string): void;
  isRenewalDue(caller: Caller): boolean;
  /** A token in place of the one at hand; the same one where the provider gives none. */
  renew(caller: Caller): Promise<string>;
}

export interface SsoTokensOptions {
  readonly provider: Provider;
  readonly groupClaims: () => readonly string[];
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createSsoTokens({ provider, groupClaims, accounts, clock, log }: SsoTokensOptions): SsoTokens {
  const { config } = provider;
  const verified = new LruMap<string, Verified>(tokensMax);
  const grants = new LruMap<string, KeptGrant>(tokensMax);

  async function findGroups(claims: IdTokenClaims, tokenId: string, names: readonly string[]): Promise<readonly string[]> {
    const own = readGroups(claims, names);
    if (!config.enableUserInfoGroups) return own;
    const grant = grants.get(tokenId);
    // Without its groups a caller could do what is denied to one of them.
    if (grant === undefined) throw invalidSession('the groups of this session are not known here, please re-login');
    const asked = await fetchUserInfoGroups(provider, { accessToken: grant.accessToken, subject: claims.sub, groupClaims: names });
    return [...new Set([...own, ...asked])];
  }

  async function verify(token: string): Promise<Caller> {
    const tokenId = identifyToken(token);
    const formerId = formerTokenId(token);
    const claims = await verifyIdToken(provider, token, clock);
    if (accounts.isRevoked(tokenId) || accounts.isRevoked(formerId)) throw invalidSession('token is revoked, please re-login');
    const names = groupClaims();
    const caller = readIdentity(claims, tokenId, await findGroups(claims, tokenId, names));
    const keptMs = config.enableUserInfoGroups ? config.userInfoCacheExpiration || userInfoMs : verifiedMs;
    verified.set(token, { caller, formerId, groupClaims: names, untilMs: Math.min(claims.exp * 1000, clock.nowMs() + keptMs) });
    return caller;
  }

  async function refresh(grant: KeptGrant, caller: Caller): Promise<string> {
    try {
      const { configuration } = await provider.discover();
      const { refreshTokenGrant } = await import('openid-client');
      const answer = await refreshTokenGrant(configuration, grant.refreshToken ?? '');
      // Some give no other token, but a refresh token that counts in place of the former.
      const token = answer.id_token ?? grant.token;
      const { subject } = readIdentity(await verifyIdToken(provider, token, clock), '', []);
      if (subject !== caller.subject) throw invalidSession('the provider gave the token of somebody else');
      grants.set(identifyToken(token), {
        token,
        accessToken: answer.access_token,
        refreshToken: answer.refresh_token ?? grant.refreshToken,
        startedAt: grant.startedAt,
        refreshAfterMs: clock.nowMs() + refreshPauseMs,
      });
      return token;
    } catch (error) {
      // The session at hand is still good; what was asked with it must not fail for this.
      log.warn('a session of the SSO provider was not renewed', { username: caller.username, reason: nameFailure(error) });
      return grant.token;
    } finally {
      grant.refreshAfterMs = clock.nowMs() + refreshPauseMs;
      delete grant.renewing;
    }
  }

  return {
    provider,
    recall(token) {
      const known = verified.get(token);
      if (known === undefined || known.untilMs <= clock.nowMs() || known.groupClaims !== groupClaims()) return undefined;
      return accounts.isRevoked(known.caller.tokenId) || accounts.isRevoked(known.formerId) ? undefined : known.caller;
    },
    verify,
    keepGrant: (token, grant) => grants.set(identifyToken(token), { ...grant, token, refreshAfterMs: 0 }),
    forget: (tokenId) => grants.delete(tokenId),
    isRenewalDue({ tokenId, expiresAt = 0 }) {
      if (config.refreshTokenThreshold === 0) return false;
      const grant = grants.get(tokenId);
      const nowMs = clock.nowMs();
      if (grant?.refreshToken === undefined || nowMs < grant.refreshAfterMs) return false;
      // However often it is renewed, a session ends when its time is over.
      const isOver = nowMs / 1000 >= grant.startedAt + accounts.sessionSeconds;
      return !isOver && expiresAt * 1000 - nowMs < config.refreshTokenThreshold;
    },
    async renew(caller) {
      const grant = grants.get(caller.tokenId);
      if (grant === undefined) throw invalidSession('the session cannot be renewed, please re-login');
      return (grant.renewing ??= refresh(grant, caller));
    },
  };
}

/** Never the message: a provider may repeat in it what it was sent. */
function nameFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
