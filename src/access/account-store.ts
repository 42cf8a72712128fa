/** A local account, as it is at the moment of asking. */
export interface LocalAccount {
  readonly name: string;
  /** Nobody signs in to an account that is switched off, and its tokens are void. */
  readonly enabled: boolean;
  readonly capabilities: readonly ('login' | 'apiKey')[];
  /** bcrypt; undefined when there is no password: then no password is right. */
  readonly passwordHash: string | undefined;
  /** Seconds since the epoch. Tokens from before are void. */
  readonly passwordChangedAt: number;
  /** Whether a token that was given to the account still counts. */
  hasToken(id: string): boolean;
}

/** The local accounts and what their sessions need, each as it is at the moment of asking. */
export interface AccountStore {
  find(name: string): LocalAccount | undefined;
  /** How long a session lasts. */
  readonly sessionSeconds: number;
  /** The same array for as long as the key is the same. Throws ApiError while there is none. */
  readonly signingKey: Uint8Array;
  isRevoked(tokenId: string): boolean;
  /** Returns when the revocation is stored; it counts from the first moment. Throws FailedPrecondition where the home is only read. */
  revoke(tokenId: string, expiresAt: number): Promise<void>;
}

/** The one account that always exists. */
export const adminName = 'admin';
