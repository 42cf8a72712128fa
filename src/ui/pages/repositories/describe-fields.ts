/** What the forms for repositories and credential templates ask, as a table: which field of the API, and how it is filled in. */

export type RepositoryType = 'git' | 'helm' | 'oci';

/** How to sign in. `kept`: as it is stored, in a form that changes something else. */
export type Way = 'kept' | 'none' | 'password' | 'token' | 'ssh' | 'app' | 'google' | 'azure' | 'principal';

export interface FormField {
  /** As the API calls it. */
  readonly field: string;
  readonly title: string;
  readonly kind: 'text' | 'secret' | 'area' | 'secret-area' | 'number' | 'flag';
  readonly hint?: string;
  readonly placeholder?: string;
  /** What only a repository has, and no template. */
  readonly isOwn?: boolean;
  readonly types?: readonly RepositoryType[];
  /** The API does not show it of a stored repository, though it is no secret. */
  readonly isHidden?: boolean;
}

/** Whether what is stored of a field is not shown: of templates that is everything but the user. */
export function isUnseen({ field, kind, isHidden = false }: FormField, isTemplate: boolean): boolean {
  return kind.startsWith('secret') || (isTemplate ? field !== 'username' : isHidden);
}

export const typeTitles: Readonly<Record<RepositoryType, string>> = { git: 'Git', helm: 'Helm', oci: 'OCI' };

interface WayDescription {
  readonly title: string;
  readonly types: readonly RepositoryType[];
  readonly fields: readonly FormField[];
}

const PASSWORD: readonly FormField[] = [
  { field: 'username', title: 'User name', kind: 'text', isHidden: true },
  { field: 'password', title: 'Password or access token', kind: 'secret' },
];

export const ways: Readonly<Record<Exclude<Way, 'kept' | 'none'>, WayDescription>> = {
  password: { title: 'User name and password', types: ['git', 'helm', 'oci'], fields: PASSWORD },
  token: {
    title: 'Bearer token',
    types: ['git'],
    fields: [{ field: 'bearerToken', title: 'Token', kind: 'secret', hint: 'Sent as a bearer token, as Bitbucket Data Center wants it.' }],
  },
  ssh: {
    title: 'SSH key',
    types: ['git'],
    fields: [
      {
        field: 'sshPrivateKey',
        title: 'Private key',
        kind: 'secret-area',
        placeholder: '-----BEGIN OPENSSH PRIVATE KEY-----',
        hint: 'The whole key with its first and last line, and without a passphrase.',
      },
    ],
  },
  app: {
    title: 'GitHub App',
    types: ['git'],
    fields: [
      { field: 'githubAppID', title: 'App id', kind: 'number' },
      { field: 'githubAppInstallationID', title: 'Installation id', kind: 'number', hint: 'Left empty, it is looked up.' },
      {
        field: 'githubAppPrivateKey',
        title: 'Private key of the app',
        kind: 'secret-area',
        placeholder: '-----BEGIN RSA PRIVATE KEY-----',
      },
      {
        field: 'githubAppEnterpriseBaseUrl',
        title: 'Address of the API',
        kind: 'text',
        placeholder: 'https://github.example/api/v3',
        hint: 'For GitHub Enterprise; left empty, the public service.',
      },
    ],
  },
  google: {
    title: 'Google service account',
    types: ['git'],
    fields: [
      {
        field: 'gcpServiceAccountKey',
        title: 'Key of the service account',
        kind: 'secret-area',
        hint: 'The JSON file that Google gives out.',
      },
    ],
  },
  azure: { title: 'Azure workload identity', types: ['git'], fields: [] },
  principal: {
    title: 'Azure service principal',
    types: ['git'],
    fields: [
      { field: 'azureServicePrincipalTenantId', title: 'Tenant id', kind: 'text' },
      { field: 'azureServicePrincipalClientId', title: 'Client id', kind: 'text' },
      { field: 'azureServicePrincipalClientSecret', title: 'Client secret', kind: 'secret' },
      {
        field: 'azureActiveDirectoryEndpoint',
        title: 'Address for signing in',
        kind: 'text',
        placeholder: 'https://login.microsoftonline.com',
        hint: 'For other clouds than the public one.',
      },
    ],
  },
};

const MORE: readonly FormField[] = [
  { field: 'enableOCI', title: 'The charts are in an OCI registry', kind: 'flag', types: ['helm'] },
  {
    field: 'insecure',
    title: 'Do not check who the server is',
    kind: 'flag',
    hint: 'Anybody between could read the credentials. Better add its certificate or host key.',
    isOwn: true,
  },
  {
    field: 'insecureOCIForceHttp',
    title: 'Use HTTP instead of HTTPS',
    kind: 'flag',
    hint: 'Only for registries.',
    types: ['helm', 'oci'],
    isHidden: true,
  },
  { field: 'forceHttpBasicAuth', title: 'Send the credentials without being asked', kind: 'flag', types: ['git', 'helm'] },
  { field: 'enableLfs', title: 'Fetch large files (Git LFS)', kind: 'flag', types: ['git'], isOwn: true },
  {
    field: 'webhookManifestCacheWarmDisabled',
    title: 'Do not render ahead when a webhook announces a commit',
    kind: 'flag',
    isHidden: true,
    types: ['git'],
    isOwn: true,
  },
  { field: 'depth', title: 'Depth', kind: 'number', hint: 'How many commits are fetched; empty or 0 is all.', types: ['git'], isOwn: true },
  { field: 'proxy', title: 'Proxy', kind: 'text', placeholder: 'http://proxy.example:3128' },
  { field: 'noProxy', title: 'Hosts without the proxy', kind: 'text', placeholder: '.internal.example, 10.0.0.0/8' },
  { field: 'tlsClientCertData', title: 'TLS client certificate', kind: 'area', isHidden: true, placeholder: '-----BEGIN CERTIFICATE-----' },
  { field: 'tlsClientCertKey', title: 'TLS client key', kind: 'secret-area', placeholder: '-----BEGIN PRIVATE KEY-----' },
];

export function listMore(type: RepositoryType, isTemplate: boolean): readonly FormField[] {
  return MORE.filter(({ types, isOwn = false }) => (types === undefined || types.includes(type)) && !(isTemplate && isOwn));
}

export function listWays(type: RepositoryType): readonly { readonly id: Way; readonly title: string }[] {
  const fitting = Object.entries(ways).filter(([, { types }]) => types.includes(type));
  return [
    { id: 'none', title: 'Nothing: it is public, or a template matches' },
    ...fitting.map(([id, { title }]) => ({ id: id as Way, title })),
  ];
}

export function fieldsOfWay(way: Way): readonly FormField[] {
  return way === 'kept' || way === 'none' ? [] : ways[way].fields;
}

/** What belongs to some way of signing in: whoever chooses another clears it. */
export const credentialFields: readonly FormField[] = [
  ...Object.values(ways).flatMap(({ fields }) => fields),
  { field: 'useAzureWorkloadIdentity', title: 'Azure workload identity', kind: 'flag' },
];
