/** What clients of hosts of repositories and of AWS read from their surroundings; nothing else is handed on. */
const NAMES = [
  'GITHUB_TOKEN',
  'GITLAB_TOKEN',
  'GITEA_TOKEN',
  'BITBUCKET_API_BASE_URL',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
  'AWS_CONFIG_FILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'HOME',
  'AWS_ROLE_ARN',
  'AWS_ROLE_SESSION_NAME',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
  'AWS_EC2_METADATA_DISABLED',
  'AWS_EC2_METADATA_SERVICE_ENDPOINT',
  'AWS_ENDPOINT_URL',
  'AWS_ENDPOINT_URL_CODECOMMIT',
  'AWS_ENDPOINT_URL_RESOURCE_GROUPS_TAGGING_API',
  'AWS_ENDPOINT_URL_STS',
];

export function readProviderEnvironment(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));
}

const PROXY_NAMES = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'];

/** How hosts of repositories are reached where a proxy is in between: the one that is meant for them alone, or everybody's. */
export function readProviderProxies(): Readonly<Record<string, string>> {
  const { ARGOCD_APPLICATIONSET_CONTROLLER_SCM_PROXY_URL: own, ARGOCD_APPLICATIONSET_CONTROLLER_SCM_NO_PROXY: without } = process.env;
  if (own) return { http_proxy: own, https_proxy: own, ...(without && { no_proxy: without }) };
  return Object.fromEntries(PROXY_NAMES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
