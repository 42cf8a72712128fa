import type { LabelledSecret } from '../../../settings/index.ts';

/** How a field of a repository, or of a credential template, is kept in its Secret. */
export interface CredentialField {
  /** In the API. */
  readonly field: string;
  /** In the Secret. */
  readonly key: string;
  readonly kind: 'text' | 'flag' | 'number';
  /** In errors that say what differs. */
  readonly word: string;
  /** Whether everyone who may see the repository may see it. */
  readonly isPublic: boolean;
}

export type FieldValues = Readonly<Record<string, string | number | boolean | undefined>>;

const YES: readonly string[] = ['1', 't', 'T', 'TRUE', 'true', 'True'];

type Row = readonly [field: string, kind: CredentialField['kind'], word: string, isPublic: boolean, key?: string];

const REPOSITORY_ROWS: readonly Row[] = [
  ['repo', 'text', 'Repo', true, 'url'],
  ['username', 'text', 'Username', false],
  ['password', 'text', 'Password', false],
  ['sshPrivateKey', 'text', 'SSHPrivateKey', false],
  ['insecureIgnoreHostKey', 'flag', 'InsecureIgnoreHostKey', false],
  ['insecure', 'flag', 'Insecure', true],
  ['enableLfs', 'flag', 'EnableLFS', true],
  ['tlsClientCertData', 'text', 'TLSClientCertData', false],
  ['tlsClientCertKey', 'text', 'TLSClientCertKey', false],
  ['type', 'text', 'Type', true],
  ['name', 'text', 'Name', true],
  ['enableOCI', 'flag', 'EnableOCI', true],
  ['githubAppPrivateKey', 'text', 'GithubAppPrivateKey', false],
  ['githubAppID', 'number', 'GithubAppId', true],
  ['githubAppInstallationID', 'number', 'GithubAppInstallationId', true],
  ['githubAppEnterpriseBaseUrl', 'text', 'GitHubAppEnterpriseBaseURL', true],
  ['proxy', 'text', 'Proxy', true],
  ['project', 'text', 'Project', true],
  ['gcpServiceAccountKey', 'text', 'GCPServiceAccountKey', false],
  ['forceHttpBasicAuth', 'flag', 'ForceHttpBasicAuth', true],
  ['noProxy', 'text', 'NoProxy', true],
  ['useAzureWorkloadIdentity', 'flag', 'UseAzureWorkloadIdentity', true],
  ['bearerToken', 'text', 'BearerToken', false],
  ['insecureOCIForceHttp', 'flag', 'InsecureOCIForceHttp', false],
  ['depth', 'number', 'Depth', true],
  ['webhookManifestCacheWarmDisabled', 'flag', 'WebhookManifestCacheWarmDisabled', false],
  ['azureServicePrincipalClientId', 'text', 'AzureServicePrincipalClientId', true],
  ['azureServicePrincipalClientSecret', 'text', 'AzureServicePrincipalClientSecret', false],
  ['azureServicePrincipalTenantId', 'text', 'AzureServicePrincipalTenantId', true],
  ['azureActiveDirectoryEndpoint', 'text', 'AzureActiveDirectoryEndpoint', true],
];

export const repositoryFields: readonly CredentialField[] = REPOSITORY_ROWS.map(([field, kind, word, isPublic, key = field]) => ({
  field,
  key,
  kind,
  word,
  isPublic,
}));

/** What only a repository has. */
const NOT_IN_TEMPLATES: readonly string[] = [
  'name',
  'project',
  'insecure',
  'insecureIgnoreHostKey',
  'enableLfs',
  'depth',
  'webhookManifestCacheWarmDisabled',
];
/** Where a template is spelled in another way than a repository. */
const TEMPLATE_SPELLING: Readonly<Record<string, Partial<CredentialField>>> = {
  repo: { field: 'url', word: 'URL' },
  azureServicePrincipalClientId: { key: 'azureServicePrincipalClientID' },
  azureServicePrincipalTenantId: { key: 'azureServicePrincipalTenantID' },
};

export const templateFields: readonly CredentialField[] = repositoryFields
  .filter(({ field }) => !NOT_IN_TEMPLATES.includes(field))
  .map((field) => ({ ...field, ...TEMPLATE_SPELLING[field.field] }));

/** With one of these a repository has credentials of its own. */
const CREDENTIALS: readonly string[] = [
  'username',
  'password',
  'bearerToken',
  'sshPrivateKey',
  'tlsClientCertData',
  'githubAppPrivateKey',
  'useAzureWorkloadIdentity',
  'azureServicePrincipalClientSecret',
];

export function hasCredentials(values: FieldValues): boolean {
  return CREDENTIALS.some((field) => !isEmpty(values[field]));
}

/** What a Secret says. Values that cannot be read are left out: the Secret is shown all the same, and using it says what is wrong. */
export function decodeFields(fields: readonly CredentialField[], { data }: Pick<LabelledSecret, 'data'>): FieldValues {
  return Object.fromEntries(
    fields.flatMap(({ field, key, kind }) => {
      const value = decodeValue(kind, data.get(key)?.reveal() ?? '');
      return isEmpty(value) ? [] : [[field, value]];
    }),
  );
}

/** The data of a Secret. What is empty is written only over what was there. */
export function encodeFields(
  fields: readonly CredentialField[],
  values: FieldValues,
  isStored: (key: string) => boolean = () => false,
): ReadonlyMap<string, string> {
  const data = new Map<string, string>();
  for (const { field, key, kind } of fields) {
    const value = values[field];
    if (!isEmpty(value)) data.set(key, String(value));
    else if (isStored(key)) data.set(key, kind === 'flag' ? 'false' : kind === 'number' ? '0' : '');
  }
  return data;
}

/** The fields of a request, and nothing else that came with it. */
export function pickFields(fields: readonly CredentialField[], values: object): FieldValues {
  return Object.fromEntries(
    fields.flatMap(({ field }) => {
      const value: unknown = Object.hasOwn(values, field) ? Reflect.get(values, field) : undefined;
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[field, value]] : [];
    }),
  );
}

/** The text that refuses to replace what is stored by something else without being told to; undefined where both are the same. */
export function describeDifference(
  fields: readonly CredentialField[],
  { what, stored, wanted }: { readonly what: string; readonly stored: FieldValues; readonly wanted: FieldValues },
): string | undefined {
  const differing = fields.filter(({ field }) => comparable(field, stored[field]) !== comparable(field, wanted[field]));
  if (differing.length === 0) return undefined;
  const words = differing.map(({ word }) => word).join(',');
  return `existing ${what} spec is different; use upsert flag to force update; difference in keys "${words}"`;
}

function comparable(field: string, value: FieldValues[string]): string {
  if (isEmpty(value)) return field === 'type' ? 'git' : '';
  return String(value);
}

function isEmpty(value: FieldValues[string]): boolean {
  return value === undefined || value === '' || value === 0 || value === false;
}

function decodeValue(kind: CredentialField['kind'], text: string): FieldValues[string] {
  if (kind === 'text') return text;
  if (kind === 'flag') return YES.includes(text);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
