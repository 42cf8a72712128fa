/** Who makes a call, as proven by a token. */
export interface Caller {
  /** What people read: the account's name, `proj:<project>:<role>` for a token of a project, what a provider calls somebody. */
  readonly username: string;
  /** What policies call them, where that is not the username. */
  readonly subject?: string;
  /** The `iss` claim: `argocd` for accounts and projects of our own. */
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

/** Whoever calls without a session where that is allowed: has the default role and nothing else. */
export const anonymousCaller: Caller = Object.freeze({
  username: '',
  issuer: '',
  groups: [],
  capability: 'login',
  tokenId: '',
  issuedAt: 0,
  expiresAt: undefined,
});

/** Whether a subject is a role of a project, as its tokens are issued for. */
export function isProjectSubject(subject: string): boolean {
  return subject.startsWith('proj:') && subject.split(':').length === 3;
}
