/** The admin account and what its sessions need, each as it is at the moment of asking. */
export interface AdminStore {
  /** Nobody signs in to an account that is switched off, and its sessions are void. */
  readonly enabled: boolean;
  /** bcrypt; undefined when there is no password: then no password is right. */
  readonly passwordHash: string | undefined;
  /** Seconds since the epoch. Sessions from before are void. */
  readonly passwordChangedAt: number;
  /** The same array for as long as the key is the same. Throws ApiError while there is none. */
  readonly signingKey: Uint8Array;
  isRevoked(tokenId: string): boolean;
  /** Returns when the revocation is stored; it counts from the first moment. */
  revoke(tokenId: string, expiresAt: number): Promise<void>;
}
