import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code } from '../../base/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { GitUrl } from './git-url.ts';

/** What a run of git needs to know for one repository. Values are secrets: they go into the environment, never into arguments. */
export interface PreparedAccess {
  readonly settings: readonly (readonly [string, string])[];
  readonly variables: Readonly<Record<string, string>>;
  /** The first arguments of ssh. */
  readonly sshArgs: readonly string[];
}

/** Below this many bytes per second for so long, a server counts as hanging. */
const LOW_SPEED = { bytes: '1', seconds: '15' };
const SSH_CONNECT_SECONDS = 15;

interface PrepareOptions {
  readonly folder: string;
  readonly ssh: string;
  readonly proxyEnvironment: Readonly<Record<string, string>>;
  /** The ones that the host of the URL has. */
  readonly addresses: readonly string[] | undefined;
  /** The port of this machine that leads to the server, where a proxy is in between. */
  readonly doorPort?: number | undefined;
}

/** Turns an access into settings of git and files in a private folder, for the one host of the URL. */
export async function prepareAccess(access: RepositoryAccess, url: GitUrl, options: PrepareOptions): Promise<PreparedAccess> {
  if (url.transport === 'file') return { settings: [], variables: {}, sshArgs: [] };
  if (url.transport === 'ssh') return await prepareSsh(access, url, options);
  return {
    settings: [...(await prepareTls(access, options.folder)), ...authorization(access, url), ...speedLimits()],
    variables: proxyVariables(access, options.proxyEnvironment),
    sshArgs: [],
  };
}

/**
 * The credentials of a repository as variables that git heeds, for programs that run elsewhere and that an administrator lets have
 * them. Keys and certificates would have to be files there.
 */
export function credentialVariables(access: RepositoryAccess, url: GitUrl): { readonly name: string; readonly value: string }[] {
  const hasFiles = [access.sshPrivateKey, access.tlsClientCertData].some((secret) => (secret?.reveal() ?? '') !== '');
  if (hasFiles)
    throw new ApiError(
      Code.FailedPrecondition,
      'the plugin wants the credentials of the repository (provideGitCreds): keys and client certificates are not handed out, only passwords and tokens',
    );
  if (url.transport !== 'http' && url.transport !== 'https') return [];
  const settings = authorization(access, url);
  if (settings.length === 0) return [];
  const numbered = settings.flatMap(([name, value], index) => [
    { name: `GIT_CONFIG_KEY_${index}`, value: name },
    { name: `GIT_CONFIG_VALUE_${index}`, value },
  ]);
  return [{ name: 'GIT_CONFIG_COUNT', value: String(settings.length) }, { name: 'GIT_TERMINAL_PROMPT', value: '0' }, ...numbered];
}

function speedLimits(): [string, string][] {
  return [
    ['http.lowSpeedLimit', LOW_SPEED.bytes],
    ['http.lowSpeedTime', LOW_SPEED.seconds],
  ];
}

/**
 * The header goes with the first request: that saves the round trip in which a server says that it wants one, and it is bound to the
 * scheme, host and port of the repository.
 */
function authorization(access: RepositoryAccess, url: GitUrl): [string, string][] {
  const header = authorizationHeader(access, url);
  return header === undefined ? [] : [[`http.${new URL(url.url).origin}/.extraHeader`, `Authorization: ${header}`]];
}

/** What a server of git is told about who asks; undefined where nobody is named. */
export function authorizationHeader(access: RepositoryAccess, url: GitUrl): string | undefined {
  const token = access.bearerToken?.reveal();
  if (token !== undefined && token !== '') return `Bearer ${oneLine(token)}`;
  const password = access.password?.reveal() ?? url.password ?? '';
  const username = access.username?.reveal() ?? url.username ?? '';
  if (password === '' && username === '') return undefined;
  const pair = `${username === '' ? 'x-access-token' : username}:${password}`;
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}

/** A line break would begin another header. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\0]/g, '');
}

async function prepareTls(access: RepositoryAccess, folder: string): Promise<[string, string][]> {
  const settings: [string, string][] = [];
  if (access.insecure === true) settings.push(['http.sslVerify', 'false']);
  if (access.certificateAuthorities !== undefined && access.certificateAuthorities !== '')
    settings.push(['http.sslCAInfo', await writePrivate(folder, 'authorities.pem', access.certificateAuthorities)]);
  const certificate = access.tlsClientCertData?.reveal() ?? '';
  const key = access.tlsClientCertKey?.reveal() ?? '';
  if (certificate === '' || key === '') return settings;
  settings.push(['http.sslCert', await writePrivate(folder, 'client.pem', certificate)]);
  settings.push(['http.sslKey', await writePrivate(folder, 'client.key', key)]);
  return settings;
}

function proxyVariables(access: RepositoryAccess, inherited: Readonly<Record<string, string>>): Record<string, string> {
  const { proxy = '', noProxy = '' } = access;
  if (proxy === '') return { ...inherited };
  return { http_proxy: proxy, https_proxy: proxy, HTTPS_PROXY: proxy, no_proxy: noProxy, NO_PROXY: noProxy };
}

/** All options of ssh are in a file of our own: nothing of the machine's configuration, agent or keys is used. */
async function prepareSsh(access: RepositoryAccess, url: GitUrl, options: PrepareOptions): Promise<PreparedAccess> {
  const { folder, ssh, addresses, doorPort } = options;
  const known = await writePrivate(folder, 'known_hosts', `${access.sshKnownHosts ?? ''}\n`);
  const key = access.sshPrivateKey?.reveal() ?? '';
  const identity = key === '' ? 'none' : await writePrivate(folder, 'identity', `${key.replace(/\r\n/g, '\n').trimEnd()}\n`);
  const lines = [
    'BatchMode yes',
    `ConnectTimeout ${SSH_CONNECT_SECONDS}`,
    'ServerAliveInterval 15',
    'ServerAliveCountMax 2',
    'IdentitiesOnly yes',
    'IdentityAgent none',
    `IdentityFile ${quoteForSsh(identity)}`,
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'ForwardAgent no',
    'ClearAllForwardings yes',
    'ControlMaster no',
    'PermitLocalCommand no',
    'UpdateHostKeys no',
    `StrictHostKeyChecking ${access.insecure === true ? 'no' : 'yes'}`,
    `UserKnownHostsFile ${access.insecure === true ? '/dev/null' : quoteForSsh(known)}`,
    'GlobalKnownHostsFile /dev/null',
    'LogLevel ERROR',
    ...(doorPort === undefined ? pinHost(url, addresses?.[0]) : connectTo(url, '127.0.0.1')),
  ];
  const configuration = await writePrivate(folder, 'ssh_config', `${lines.join('\n')}\n`);
  // Of several ports ssh takes the first: git adds that of the URL.
  const sshArgs = ['-F', configuration, ...(doorPort === undefined ? [] : ['-p', String(doorPort)])];
  const command = [ssh, ...sshArgs].map(quoteForShell).join(' ');
  return { settings: [], variables: { GIT_SSH_COMMAND: command, GIT_SSH_VARIANT: 'ssh' }, sshArgs };
}

/** Connects to the address that was checked; the key is still that of the name. */
function pinHost(url: GitUrl, address: string | undefined): string[] {
  return address === undefined || address === nameOf(url) ? [] : connectTo(url, address);
}

function connectTo(url: GitUrl, address: string): string[] {
  const { port } = url;
  const name = nameOf(url);
  return [`HostName ${address}`, `HostKeyAlias ${port === undefined || port === 22 ? name : `[${name}]:${port}`}`];
}

function nameOf({ host }: GitUrl): string {
  return host.replace(/^\[|\]$/g, '');
}

function quoteForSsh(path: string): string {
  return `"${path}"`;
}

/** Git hands this one command to a shell. */
function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

async function writePrivate(folder: string, name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content, { mode: 0o600 });
  return path;
}
