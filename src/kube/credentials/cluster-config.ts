import { checkCredentials, checkServer, refuse } from './check-credentials.ts';
import type { CredentialPermissions } from './check-credentials.ts';
import type { ClusterAccess, Credentials, ExecPlugin, Identity } from './credentials.ts';
import { readFields } from './fields.ts';
import type { Fields } from './fields.ts';
import { readPem } from './pem.ts';
import { readExecPlugin } from './read-exec-plugin.ts';

export interface ClusterConfigOptions extends CredentialPermissions {
  readonly server: string;
  /** What the Secret of a registered cluster keeps under `config`, as JSON text or its value; nothing for a cluster without any. */
  readonly config: unknown;
}

/** The access that a registered cluster's Secret describes. */
export function readClusterConfig(options: ClusterConfigOptions): ClusterAccess {
  const fields = readFields(parseConfig(options.config), 'config');
  const tls = fields.object('tlsClientConfig');
  const identity = readIdentity(fields);
  const clientCertificate = readClientCertificate(tls);
  const authority = readPem(tls, { data: 'caData' });
  const serverName = tls.text('serverName');
  const proxyUrl = fields.text('proxyUrl');
  const credentials: Credentials = {
    identity,
    ...(clientCertificate && { clientCertificate }),
    trust: { insecure: tls.flag('insecure'), ...(serverName !== undefined && { serverName }), ...(authority && { authority }) },
    ...(proxyUrl !== undefined && { proxyUrl }),
    disableCompression: fields.flag('disableCompression'),
  };
  return { server: checkServer(options.server), credentials: checkCredentials(credentials, options) };
}

/**
 * The access to the cluster around this process, where it is registered with a configuration of its own: a user or a token there
 * takes the place of the pod's service account, and everything else in it has no say at that address.
 */
export function readInClusterConfig({ inCluster, config }: { readonly inCluster: ClusterAccess; readonly config: unknown }): ClusterAccess {
  const identity = readOwnIdentity(readFields(parseConfig(config), 'config'));
  if (identity.type === 'none') return inCluster;
  return { ...inCluster, credentials: { ...inCluster.credentials, identity } };
}

function parseConfig(config: unknown): unknown {
  if (typeof config !== 'string') return config;
  if (config.trim() === '') return undefined;
  try {
    return JSON.parse(config) as unknown;
  } catch {
    // The parser's own message quotes the text, which may hold a password.
    return refuse('config is not JSON');
  }
}

function readIdentity(fields: Fields): Identity {
  if (fields.raw('awsAuthConfig') !== undefined) return { type: 'exec', plugin: awsPlugin(fields.object('awsAuthConfig')) };
  if (fields.raw('execProviderConfig') !== undefined) return { type: 'exec', plugin: readProvider(fields.object('execProviderConfig')) };
  return readOwnIdentity(fields);
}

function readOwnIdentity(fields: Fields): Identity {
  const username = fields.text('username');
  const password = fields.text('password');
  const token = fields.text('bearerToken');
  if (username !== undefined && token !== undefined) refuse('username/password or bearer token may be set, but not both');
  if (username !== undefined) return { type: 'basic', username, password: password ?? '' };
  return token === undefined ? { type: 'none' } : { type: 'token', token };
}

function awsPlugin(fields: Fields): ExecPlugin {
  const role = fields.text('roleARN');
  const profile = fields.text('profile');
  const cluster = fields.text('clusterName') ?? refuse('awsAuthConfig names no clusterName');
  return {
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    command: 'argocd-k8s-auth',
    args: ['aws', '--cluster-name', cluster, ...(role ? ['--role-arn', role] : []), ...(profile ? ['--profile', profile] : [])],
    env: [],
    provideClusterInfo: false,
  };
}

function readProvider(fields: Fields): ExecPlugin {
  const env = fields.object('env');
  const plugin = readExecPlugin(
    fields,
    env.names().map((name) => ({ name, value: env.text(name) ?? '' })),
  );
  const clusterConfig = fields.raw('config');
  return clusterConfig === undefined ? plugin : { ...plugin, clusterConfig };
}

function readClientCertificate(tls: Fields): Credentials['clientCertificate'] {
  const certificate = readPem(tls, { data: 'certData' });
  const key = readPem(tls, { data: 'keyData' });
  if (!certificate !== !key) refuse('certData and keyData go together');
  return certificate && key ? { certificate, key } : undefined;
}
