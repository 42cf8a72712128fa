import type { IntegrityPolicy } from './find-integrity.ts';

/** What was found about the signature of a commit or a tag. */
export interface Signature {
  /** Git's one letter for it. */
  readonly grade: string;
  /** The key that signed, and the one that it belongs to. */
  readonly keys: readonly string[];
}

const REASONS: Readonly<Record<string, string>> = {
  N: 'unsigned',
  B: 'bad signature',
  U: 'signed with untrusted key',
  X: 'expired signature',
  Y: 'signed with expired key',
  R: 'signed with revoked key',
  E: 'signed with key not in keyring',
};

/** Why a signature is not good enough; undefined where it is. */
export function reasonAgainst({ grade, keys }: Signature, policy: IntegrityPolicy): string | undefined {
  if (grade !== 'G') return REASONS[grade] ?? 'bad signature';
  const allowed = new Set(policy.keys.map(shortId));
  return keys.some((key) => allowed.has(key)) ? undefined : 'signed with unallowed key';
}

/** In the words that people and scripts look for. */
export function describeProblem(revision: string, author: string, reason: string, key = ''): string {
  return `GIT/GPG: Failed verifying revision ${revision} by '${author}': ${reason}${key === '' ? '' : ` (key_id=${key})`}`;
}

/** The last 16 digits of an id or a fingerprint. */
export function shortId(id: string): string {
  return id.trim().toUpperCase().slice(-16);
}
