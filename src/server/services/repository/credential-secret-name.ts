const PREFIXES = {
  repository: 'repo',
  'repo-creds': 'creds',
  'repository-write': 'repo-write',
  'repo-write-creds': 'creds-write',
} as const;

/** The Secrets that say how repositories are reached. */
export type CredentialSecretType = keyof typeof PREFIXES;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The name of a Secret that is made here. Nothing is ever found by it. */
export function credentialSecretName(type: CredentialSecretType, url: string, project: string): string {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(`${url}${project}`)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return `${PREFIXES[type]}-${hash >>> 0}`;
}
