import type { Settings } from '../open-settings.ts';
import { adminName } from './account.ts';

/** The admin account and what its sessions need, as the settings have it at each moment. */
export interface AdminStore {
  /** Undefined when there is no password or the account is switched off: then no password is right. */
  readonly passwordHash: string | undefined;
  /** Seconds since the epoch. Sessions from before are void. */
  readonly passwordChangedAt: number;
  readonly signingKey: Uint8Array;
  isRevoked(tokenId: string): boolean;
  /** Returns when the revocation is stored; it counts from the first moment. */
  revoke(tokenId: string, expiresAt: number): Promise<void>;
}

/** Stands where the admin file stood. */
export function createAdminStore(settings: Settings): AdminStore {
  const admin = () => settings.current.accounts.get(adminName);
  return {
    get passwordHash() {
      const account = admin();
      return account?.enabled === true ? account.passwordHash?.reveal() : undefined;
    },
    get passwordChangedAt() {
      return admin()?.passwordMtime ?? 0;
    },
    get signingKey() {
      const key = settings.current.secret.signingKey;
      if (key === undefined) throw new Error('argocd-secret has no server.secretkey');
      return key.reveal();
    },
    isRevoked: (tokenId) => settings.revokedTokens.has(tokenId),
    revoke: (tokenId, expiresAt) => settings.revokedTokens.add(tokenId, expiresAt),
  };
}
