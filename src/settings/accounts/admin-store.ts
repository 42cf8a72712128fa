import type { AdminStore } from '../../access/index.ts';
import { ApiError, Code } from '../../base/index.ts';
import { secretNames } from '../home-objects.ts';
import type { Settings } from '../open-settings.ts';
import { adminName } from './account.ts';

/** The admin account and what its sessions need, as the settings have it at each moment. */
export function createAdminStore(settings: Settings): AdminStore {
  const admin = () => settings.current.accounts.get(adminName);
  return {
    get enabled() {
      return admin()?.enabled === true;
    },
    get passwordHash() {
      return admin()?.passwordHash?.reveal();
    },
    get passwordChangedAt() {
      return admin()?.passwordMtime ?? 0;
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
