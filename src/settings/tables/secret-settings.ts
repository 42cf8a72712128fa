/** The keys of `argocd-secret` that have a meaning of their own. Any other key may be named by a `$` reference. */
import { parseTime } from '../../objects/index.ts';
import { secretBytes, secretText } from '../object-data.ts';
import { BadValue, type Parse } from '../parsing/bad-value.ts';
import { Sealed } from '../sealed.ts';
import { setting, settingFamily, type SettingUse, type SettingValues } from '../setting-table.ts';

/** A token that was given to an account. Times are seconds since the epoch. */
export interface AccountToken {
  readonly id: string;
  readonly issuedAt: number;
  /** Undefined for one that does not expire. */
  readonly expiresAt: number | undefined;
}

const accountName = /^[^.]+$/;

/** An empty text is as good as none. */
const parseSealedText: Parse<Sealed<string> | undefined> = (content) => {
  const text = secretText(content);
  return text === '' ? undefined : new Sealed(text);
};

/** Shorter keys can be guessed; a session that anyone can sign is worse than none. */
const parseSigningKey: Parse<Sealed<Uint8Array> | undefined> = (content, note) => {
  const bytes = secretBytes(content);
  if (bytes.length === 0) return undefined;
  if (bytes.length < 32) note('shorter than 32 bytes, which is less than safe');
  return new Sealed(bytes);
};

const parsePasswordHash: Parse<Sealed<string> | undefined> = (content) => {
  const text = secretText(content).trim();
  if (text === '') return undefined;
  if (!/^\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}$/.test(text)) throw new BadValue('not a bcrypt hash');
  return new Sealed(text);
};

/** Seconds since the epoch, from RFC 3339. */
const parseSeconds: Parse<number | undefined> = (content) => {
  const text = secretText(content).trim();
  if (text === '') return undefined;
  const milliseconds = parseTime(text);
  if (milliseconds === undefined) throw new BadValue('not an RFC 3339 time');
  return Math.floor(milliseconds / 1000);
};

export const parseTokens: Parse<readonly AccountToken[]> = (content) => {
  const text = secretText(content).trim();
  if (text === '') return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new BadValue('not JSON');
  }
  if (list === null) return [];
  if (!Array.isArray(list)) throw new BadValue('not a JSON list of tokens');
  return list.map(readToken);
};

function readToken(value: unknown): AccountToken {
  if (typeof value !== 'object' || value === null) throw new BadValue('a token is not an object');
  const { id, iat, exp } = value as { id?: unknown; iat?: unknown; exp?: unknown };
  if (typeof id !== 'string' || typeof iat !== 'number' || (exp !== undefined && exp !== null && typeof exp !== 'number')) {
    throw new BadValue('a token has no id, or a time that is not a number');
  }
  return { id, issuedAt: iat, expiresAt: exp === undefined || exp === null || exp === 0 ? undefined : exp };
}

export function formatTokens(tokens: readonly AccountToken[]): string {
  return JSON.stringify(
    tokens.map(({ id, issuedAt, expiresAt }) => ({ id, iat: issuedAt, ...(expiresAt !== undefined && { exp: expiresAt }) })),
  );
}

const sealed = (key: string, doc: string, use: SettingUse = 'planned') =>
  setting(key, { parse: parseSealedText, fallback: undefined, doc, use });

export const secretTable = {
  signingKey: setting('server.secretkey', {
    parse: parseSigningKey,
    fallback: undefined,
    fallbackText: 'made at the first start',
    doc: 'What session tokens are signed with.',
    use: 'used',
  }),
  tlsCertificate: sealed('tls.crt', 'The certificate of the server, as PEM. The Secret `argocd-server-tls` wins over it.', 'used'),
  tlsKey: sealed('tls.key', 'Its private key.', 'used'),
  adminPassword: setting('admin.password', {
    parse: parsePasswordHash,
    fallback: undefined,
    fallbackText: 'made at the first start',
    doc: 'The bcrypt hash of the password of `admin`.',
    use: 'used',
  }),
  adminPasswordMtime: setting('admin.passwordMtime', {
    parse: parseSeconds,
    fallback: undefined,
    doc: 'When it was changed, as RFC 3339. Tokens from before are refused.',
    use: 'used',
  }),
  adminTokens: setting('admin.tokens', {
    parse: parseTokens,
    fallback: [],
    doc: 'The tokens of `admin`, as a JSON list of `id`, `iat` and `exp`.',
    use: 'used',
  }),
  accountPasswords: settingFamily('accounts.<name>.password', {
    parse: parsePasswordHash,
    names: accountName,
    doc: 'The bcrypt hash of the password of an account.',
    use: 'used',
  }),
  accountPasswordMtimes: settingFamily('accounts.<name>.passwordMtime', {
    parse: parseSeconds,
    names: accountName,
    doc: 'When it was changed.',
    use: 'used',
  }),
  accountTokens: settingFamily('accounts.<name>.tokens', {
    parse: parseTokens,
    names: accountName,
    doc: 'The tokens of an account.',
    use: 'used',
  }),
  webhookGithub: sealed(
    'webhook.github.secret',
    'What webhooks of GitHub are signed with. Like the other webhook keys, it may name a secret with `$`.',
    'used',
  ),
  webhookGitlab: sealed('webhook.gitlab.secret', 'The token that webhooks of GitLab carry.', 'used'),
  webhookBitbucket: sealed('webhook.bitbucket.uuid', 'The id that webhooks of Bitbucket Cloud carry.', 'used'),
  webhookBitbucketServer: sealed('webhook.bitbucketserver.secret', 'What webhooks of Bitbucket Server are signed with.', 'used'),
  webhookGogs: sealed('webhook.gogs.secret', 'What webhooks of Gogs are signed with.', 'used'),
  webhookAzureUsername: sealed('webhook.azuredevops.username', 'The user name that webhooks of Azure DevOps carry.', 'used'),
  webhookAzurePassword: sealed('webhook.azuredevops.password', 'Their password.', 'used'),
};

export type SecretSettings = SettingValues<typeof secretTable>;
