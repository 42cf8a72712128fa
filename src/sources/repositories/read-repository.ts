import type { LabelledSecret, Sealed } from '../../settings/index.ts';
import type { RepositoryType } from '../repository-access.ts';

/** What a repository's Secret, or a credential template, says. */
export interface StoredRepository {
  readonly secret: string;
  readonly url: string;
  readonly name: string;
  readonly project: string;
  readonly type: RepositoryType | '';
  readonly texts: ReadonlyMap<SecretField, Sealed<string>>;
  readonly proxy: string;
  readonly noProxy: string;
  readonly depth: number;
  readonly flags: ReadonlySet<Flag>;
  /** Set where a value cannot be read: the repository is listed all the same, and cannot be used. */
  readonly problem: string | undefined;
}

export const secretFields = [
  'username',
  'password',
  'bearerToken',
  'sshPrivateKey',
  'tlsClientCertData',
  'tlsClientCertKey',
  'githubAppPrivateKey',
  'gcpServiceAccountKey',
  'azureServicePrincipalClientSecret',
  'githubAppID',
  'githubAppInstallationID',
  'githubAppEnterpriseBaseUrl',
  'azureServicePrincipalClientId',
  'azureServicePrincipalTenantId',
  'azureActiveDirectoryEndpoint',
] as const;
export type SecretField = (typeof secretFields)[number];

const flags = [
  'insecure',
  'insecureIgnoreHostKey',
  'enableLfs',
  'enableOCI',
  'insecureOCIForceHttp',
  'forceHttpBasicAuth',
  'useAzureWorkloadIdentity',
] as const;
export type Flag = (typeof flags)[number];

const YES: readonly string[] = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const NO: readonly string[] = ['0', 'f', 'F', 'FALSE', 'false', 'False', ''];

export function readRepository(secret: LabelledSecret): StoredRepository {
  const text = (key: string): string => secret.data.get(key)?.reveal() ?? '';
  const problems: string[] = [];
  const set = flags.filter((flag) => {
    const value = text(flag);
    if (!YES.includes(value) && !NO.includes(value)) problems.push(`${flag} is not a boolean`);
    return YES.includes(value);
  });
  const depth = text('depth') === '' ? 0 : Number(text('depth'));
  if (!Number.isSafeInteger(depth) || depth < 0) problems.push('depth is not a number');
  const type = text('type');
  if (!isRepositoryType(type)) problems.push(`unsupported repository type ${JSON.stringify(type.slice(0, 40))}`);
  return {
    secret: secret.name,
    url: text('url').trim(),
    name: text('name'),
    project: text('project'),
    type: isRepositoryType(type) ? type : '',
    texts: new Map(secretFields.flatMap((field) => sealedEntry(secret, field))),
    proxy: text('proxy'),
    noProxy: text('noProxy'),
    depth: Number.isSafeInteger(depth) && depth > 0 ? depth : 0,
    flags: new Set(set),
    problem: problems.length === 0 ? undefined : problems.join('; '),
  };
}

function sealedEntry(secret: LabelledSecret, field: SecretField): [SecretField, Sealed<string>][] {
  // Templates write two of them with another letter.
  const value = secret.data.get(field) ?? secret.data.get(field.replace(/Id$/, 'ID'));
  return value === undefined || value.reveal() === '' ? [] : [[field, value]];
}

function isRepositoryType(type: string): type is RepositoryType | '' {
  return type === '' || type === 'git' || type === 'helm' || type === 'oci';
}
