import type { AccountStore, LocalAccount } from '../../access/index.ts';
import { ApiError, Code } from '../../base/index.ts';
import { secretNames } from '../home-objects.ts';
import type { Settings } from '../open-settings.ts';
import type { Account } from './account.ts';

const daySeconds = 24 * 60 * 60;

/** The local accounts and what their sessions need, as the settings have it at each moment. */
export function createAccountStore(settings: Settings): AccountStore {
  // Asked on every call; an account that did not change is the very same object.
  const known = new WeakMap<Account, LocalAccount>();
  return {
    find(name) {
      const account = settings.current.accounts.get(name);
      if (account === undefined) return undefined;
      let local = known.get(account);
      if (local === undefined) known.set(account, (local = toLocal(account)));
      return local;
    },
    get sessionSeconds() {
      const seconds = Math.floor(settings.current.general.sessionDurationMs / 1000);
      // No time at all would let nobody in, and must not mean without an end either.
      return seconds > 0 ? seconds : daySeconds;
    },
    get signingKey() {
      const key = settings.current.secret.signingKey;
      if (key === undefined) {
        throw new ApiError(Code.Unavailable, `the Secret ${secretNames.main} has no server.secretkey; the next start makes one`);
      }
      return key.reveal();
    },
    isRevoked: (tokenId) => settings.revokedTokens.has(tokenId),
    revoke: (tokenId, expiresAt) => settings.revokedTokens.add(tokenId, expiresAt),
  };
}

function toLocal({ name, enabled, capabilities, passwordHash, passwordMtime, tokens }: Account): LocalAccount {
  const ids = new Set(tokens.map(({ id }) => id));
  return {
    name,
    enabled,
    capabilities,
    get passwordHash() {
      return passwordHash?.reveal();
    },
    passwordChangedAt: passwordMtime ?? 0,
    hasToken: (id) => ids.has(id),
  };
}
