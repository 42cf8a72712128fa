/** Who makes a call, as proven by a token. */
export interface Caller {
  /** The token's subject without its capability suffix, for example `admin`. */
  readonly username: string;
  /** The `iss` claim: `argocd` for accounts of our own. */
  readonly issuer: string;
  readonly groups: readonly string[];
  /** What the token was issued for. */
  readonly capability: 'login' | 'apiKey';
  readonly tokenId: string;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  /** Seconds since the epoch; undefined when the token does not expire. */
  readonly expiresAt: number | undefined;
}
