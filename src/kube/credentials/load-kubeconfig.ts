import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import { checkCredentials, checkServer, refuse } from './check-credentials.ts';
import type { CredentialPermissions } from './check-credentials.ts';
import type { ClusterAccess, Credentials, ExecPlugin, Identity, Impersonation } from './credentials.ts';
import type { Fields } from './fields.ts';
import { mergeKubeconfigs, parseKubeconfig } from './parse-kubeconfig.ts';
import type { Kubeconfig, KubeconfigEntry } from './parse-kubeconfig.ts';
import { readPem } from './pem.ts';
import { readExecPlugin } from './read-exec-plugin.ts';

const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

export interface LoadKubeconfigOptions extends CredentialPermissions {
  /** In the order of KUBECONFIG: of what several files say, the first counts. A file that is missing counts as empty. */
  readonly files: readonly string[];
  /** The file's current context unless given. */
  readonly context?: string;
}

export interface ReadKubeconfigOptions extends CredentialPermissions {
  readonly text: string;
  readonly context?: string;
}

/** The access that kubeconfig files describe. Commands and files that they name are allowed only where the caller says so. */
export async function loadKubeconfig(options: LoadKubeconfigOptions): Promise<ClusterAccess> {
  const files = await Promise.all(options.files.map(readConfigFile));
  const found = files.filter((file) => file !== undefined);
  if (found.length === 0) throw new ApiError(Code.NotFound, `no kubeconfig at ${options.files.join(' or ')}`);
  return accessOf(mergeKubeconfigs(found), options.context, options);
}

/** The access that a kubeconfig's text describes, for one that does not come from a file. */
export async function readKubeconfig(options: ReadKubeconfigOptions): Promise<ClusterAccess> {
  return accessOf(await parseKubeconfig(options.text, { name: 'kubeconfig', folder: '/' }), options.context, options);
}

async function readConfigFile(file: string): Promise<Kubeconfig | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    if (code === 'ENOENT') return undefined;
    throw new ApiError(Code.FailedPrecondition, `the kubeconfig ${file} cannot be read: ${code}`, { cause: error });
  }
  return await parseKubeconfig(text, { name: file, folder: dirname(resolve(file)) });
}

function accessOf(config: Kubeconfig, wanted: string | undefined, permissions: CredentialPermissions): ClusterAccess {
  const name = wanted ?? config.currentContext ?? refuse('the kubeconfig names no current context, and none was asked for');
  const context = (config.contexts.get(name) ?? refuse(`the kubeconfig has no context ${JSON.stringify(name)}`)).fields;
  const clusterName = context.text('cluster') ?? refuse(`the context ${JSON.stringify(name)} names no cluster`);
  const cluster = config.clusters.get(clusterName) ?? refuse(`the kubeconfig has no cluster ${JSON.stringify(clusterName)}`);
  const userName = context.text('user');
  const user = userName === undefined ? undefined : config.users.get(userName);
  if (userName !== undefined && user === undefined) refuse(`the kubeconfig has no user ${JSON.stringify(userName)}`);
  const namespace = context.text('namespace');
  return {
    server: checkServer(cluster.fields.text('server') ?? refuse(`the cluster ${JSON.stringify(clusterName)} has no server`)),
    credentials: checkCredentials({ ...userCredentials(user, cluster), ...clusterCredentials(cluster) }, permissions),
    ...(namespace !== undefined && { namespace }),
  };
}

function clusterCredentials({ fields, folder }: KubeconfigEntry): Pick<Credentials, 'trust' | 'proxyUrl' | 'disableCompression'> {
  const authority = readPem(fields, { data: 'certificate-authority-data', file: 'certificate-authority' }, folder);
  const serverName = fields.text('tls-server-name');
  const proxyUrl = fields.text('proxy-url');
  return {
    trust: {
      insecure: fields.flag('insecure-skip-tls-verify'),
      ...(serverName !== undefined && { serverName }),
      ...(authority && { authority }),
    },
    ...(proxyUrl !== undefined && { proxyUrl }),
    disableCompression: fields.flag('disable-compression'),
  };
}

function userCredentials(user: KubeconfigEntry | undefined, cluster: KubeconfigEntry): Omit<Credentials, 'trust' | 'disableCompression'> {
  if (user === undefined) return { identity: { type: 'none' } };
  const { fields, folder } = user;
  const certificate = readPem(fields, { data: 'client-certificate-data', file: 'client-certificate' }, folder);
  const key = readPem(fields, { data: 'client-key-data', file: 'client-key' }, folder);
  if (!certificate !== !key) refuse("a user's client certificate and client key go together");
  const impersonation = readImpersonation(fields);
  return {
    identity: readIdentity(user, cluster),
    ...(certificate && key && { clientCertificate: { certificate, key } }),
    ...(impersonation && { impersonation }),
  };
}

function readIdentity({ fields, folder }: KubeconfigEntry, cluster: KubeconfigEntry): Identity {
  if (fields.raw('auth-provider') !== undefined) refuse('auth-provider is not supported any more by Kubernetes: use an exec plugin');
  if (fields.raw('exec') !== undefined) return { type: 'exec', plugin: readPlugin(fields.object('exec'), folder, cluster) };
  const file = fields.text('tokenFile');
  const token = fields.text('token');
  const username = fields.text('username');
  if (username !== undefined && (token !== undefined || file !== undefined)) {
    refuse('username/password or bearer token may be set, but not both');
  }
  if (file !== undefined) return { type: 'token-file', file: resolve(folder, file) };
  if (token !== undefined) return { type: 'token', token };
  return username === undefined ? { type: 'none' } : { type: 'basic', username, password: fields.text('password') ?? '' };
}

function readPlugin(fields: Fields, folder: string, cluster: KubeconfigEntry): ExecPlugin {
  if (fields.text('interactiveMode') === 'Always') refuse('the exec plugin wants to talk to a person: its interactiveMode is Always');
  const env = fields.objects('env').map((entry) => ({ name: entry.text('name') ?? '', value: entry.text('value') ?? '' }));
  const plugin = readExecPlugin(fields, env);
  const extension = cluster.fields.objects('extensions').find((entry) => entry.text('name') === EXEC_EXTENSION);
  const clusterConfig = extension?.raw('extension');
  return {
    ...plugin,
    // A path that is relative starts at the kubeconfig; a bare name is looked up in PATH.
    command: plugin.command.includes('/') ? resolve(folder, plugin.command) : plugin.command,
    ...(clusterConfig !== undefined && { clusterConfig }),
  };
}

function readImpersonation(fields: Fields): Impersonation | undefined {
  const user = fields.text('as');
  const uid = fields.text('as-uid');
  const groups = fields.texts('as-groups');
  const extraFields = fields.object('as-user-extra');
  const extra = new Map(extraFields.names().map((name) => [name, extraFields.texts(name)]));
  if (user === undefined) {
    return uid === undefined && groups.length === 0 && extra.size === 0
      ? undefined
      : refuse('as-uid, as-groups and as-user-extra need `as`');
  }
  return { user, ...(uid !== undefined && { uid }), groups, extra };
}
