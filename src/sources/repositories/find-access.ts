import { ApiError, Code } from '../../base/index.ts';
import { normalizeRepositoryUrl } from '../../model/index.ts';
import type { LabelledSecret, Snapshot } from '../../settings/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { readRepository, secretFields } from './read-repository.ts';
import type { Flag, SecretField, StoredRepository } from './read-repository.ts';

/** The part of the settings that says how repositories are reached. */
export type RepositorySettings = Pick<Snapshot, 'labelledSecrets' | 'tlsCertificates' | 'sshKnownHosts'>;

/** With one of these a repository has credentials of its own, and no template is looked for. */
const OWN_CREDENTIALS: readonly SecretField[] = [
  'username',
  'password',
  'bearerToken',
  'sshPrivateKey',
  'tlsClientCertData',
  'githubAppPrivateKey',
  'azureServicePrincipalClientSecret',
];
/** Taken from the template even where it says no. */
const TEMPLATE_FLAGS: readonly Flag[] = ['enableOCI', 'insecureOCIForceHttp', 'forceHttpBasicAuth', 'useAzureWorkloadIdentity'];

/**
 * How a repository is reached for a project: its Secret (the project's own before that of everyone), completed from the credential
 * template with the longest matching URL, and what the installation trusts for its host. A URL that is not configured is a public
 * repository.
 */
export function findAccess(settings: RepositorySettings, url: string, project: string): RepositoryAccess {
  const stored = findRepository(settings, url, project);
  if (stored?.problem !== undefined)
    throw new ApiError(Code.InvalidArgument, `the Secret ${stored.secret} of the repository cannot be read: ${stored.problem}`);
  const hasOwn =
    stored !== undefined && (OWN_CREDENTIALS.some((field) => stored.texts.has(field)) || stored.flags.has('useAzureWorkloadIdentity'));
  const template = hasOwn ? undefined : findTemplate(settings, url);
  const texts = new Map([...(template?.texts ?? []), ...(stored?.texts ?? [])]);
  const flags = new Set<Flag>(stored?.flags);
  if (template !== undefined)
    for (const flag of TEMPLATE_FLAGS) {
      if (template.flags.has(flag)) flags.add(flag);
      else flags.delete(flag);
    }
  const type = stored?.type || template?.type || (url.startsWith('oci://') ? 'oci' : 'git');
  // Only hosts of git know such apps: going on without would end in a misleading error.
  if (type !== 'git' && texts.has('githubAppPrivateKey') && !texts.has('password') && !texts.has('sshPrivateKey'))
    throw new ApiError(Code.Unimplemented, 'apps of a hosting provider are supported as credentials of git repositories only');
  return {
    url,
    type,
    owner: [stored?.secret ?? '', template?.secret ?? ''].join('/'),
    ...Object.fromEntries(secretFields.flatMap((field) => (texts.has(field) ? [[field, texts.get(field)]] : []))),
    insecure: flags.has('insecure') || flags.has('insecureIgnoreHostKey') || flags.has('insecureOCIForceHttp'),
    forceHttpBasicAuth: flags.has('forceHttpBasicAuth'),
    useAzureWorkloadIdentity: flags.has('useAzureWorkloadIdentity'),
    enableLfs: flags.has('enableLfs'),
    enableOCI: flags.has('enableOCI'),
    insecureOCIForceHttp: flags.has('insecureOCIForceHttp'),
    depth: stored?.depth ?? 0,
    proxy: stored?.proxy || template?.proxy || '',
    noProxy: stored?.noProxy || template?.noProxy || '',
    certificateAuthorities: settings.tlsCertificates.get(hostOf(url)) ?? '',
    sshKnownHosts: settings.sshKnownHosts,
  };
}

/** The Secret of a repository: that of the project, else the one that belongs to no project. */
export function findRepository(settings: RepositorySettings, url: string, project: string): StoredRepository | undefined {
  const wanted = normalizeRepositoryUrl(url);
  const matching = readAll(settings, 'repository').filter((stored) => normalizeRepositoryUrl(stored.url) === wanted);
  const own = project === '' ? undefined : matching.find((stored) => stored.project === project);
  return own ?? matching.find((stored) => stored.project === '');
}

/** The address of the Helm repository or registry of that name: the project's own before that of everyone. */
export function findNamedRepository(settings: RepositorySettings, name: string, project: string): string | undefined {
  const named = readAll(settings, 'repository').filter(
    (stored) => stored.name === name && (stored.type === 'helm' || stored.type === 'oci'),
  );
  const own = project === '' ? undefined : named.find((stored) => stored.project === project);
  return (own ?? named.find((stored) => stored.project === ''))?.url;
}

function findTemplate(settings: RepositorySettings, url: string): StoredRepository | undefined {
  const wanted = normalizeRepositoryUrl(url);
  let best: { readonly stored: StoredRepository; readonly length: number } | undefined;
  for (const stored of readAll(settings, 'repo-creds')) {
    const prefix = normalizeRepositoryUrl(stored.url);
    if (!isPrefixOf(prefix, wanted) || prefix.length <= (best?.length ?? 0)) continue;
    best = { stored, length: prefix.length };
  }
  return best?.stored;
}

/**
 * Whole hosts and whole names in the path only: credentials for `https://host/team` are not for `https://host/team-evil` nor for
 * `https://host.evil`.
 */
function isPrefixOf(prefix: string, url: string): boolean {
  if (!url.startsWith(prefix) || hostOf(prefix) === '' || hostOf(prefix) !== hostOf(url)) return false;
  return prefix.endsWith('/') || url.length === prefix.length || url[prefix.length] === '/';
}

/** Without user and port. */
function hostOf(url: string): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1] ?? /^([^/]*@[^/:]+)[/:]/.exec(url)?.[1] ?? url.split('/')[0] ?? '';
  return authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .toLowerCase();
}

/** Secrets are the same objects until they change: each is read once. */
const known = new WeakMap<LabelledSecret, StoredRepository>();

function readAll({ labelledSecrets }: RepositorySettings, type: LabelledSecret['type']): StoredRepository[] {
  const all: StoredRepository[] = [];
  for (const secret of labelledSecrets.values()) {
    if (secret.type !== type) continue;
    let stored = known.get(secret);
    if (stored === undefined) {
      stored = readRepository(secret);
      known.set(secret, stored);
    }
    all.push(stored);
  }
  return all;
}
