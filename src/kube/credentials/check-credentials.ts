import { ApiError, Code, trimEndOf } from '../../base/index.ts';
import type { Credentials, ExecPlugin, Pem } from './credentials.ts';

const PROXY_SCHEMES: readonly string[] = ['http', 'https', 'socks5'];
/**
 * What may be said to a program from a list. Any other variable might make it load code, read a file or send what it knows to somebody
 * else: `PATH`, `LD_PRELOAD`, `AWS_CONFIG_FILE`, `AZURE_AUTHORITY_HOST`.
 */
const PLAIN_VARIABLES: readonly string[] = [
  'AAD_ENVIRONMENT_NAME',
  'AAD_LOGIN_METHOD',
  'AAD_SERVICE_PRINCIPAL_CLIENT_ID',
  'AAD_SERVICE_PRINCIPAL_CLIENT_SECRET',
  'AWS_ACCESS_KEY_ID',
  'AWS_DEFAULT_REGION',
  'AWS_REGION',
  'AWS_ROLE_ARN',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
  'AZURE_TENANT_ID',
];

/** What the caller lets a configuration make this process do. Both are off unless said: configurations come over the API too. */
export interface CredentialPermissions {
  /** Programs that the configuration names may be run: any, or those of a list, by exactly these names. */
  readonly allowCommands?: boolean | readonly string[];
  /** Files that the configuration names may be read. */
  readonly allowFiles?: boolean;
}

/** Refuses what contradicts itself, and what the caller does not allow. Never repeats a secret. */
export function checkCredentials(credentials: Credentials, permissions: CredentialPermissions): Credentials {
  const { identity, clientCertificate, trust, proxyUrl } = credentials;
  if (trust.insecure && trust.authority) refuse('a certificate authority and the insecure flag exclude each other');
  if (proxyUrl !== undefined) checkProxyUrl(proxyUrl);
  if (identity.type === 'exec') checkCommand(identity.plugin, permissions.allowCommands ?? false);
  if (!permissions.allowFiles) {
    const pems = [trust.authority, clientCertificate?.certificate, clientCertificate?.key];
    if (identity.type === 'token-file' || pems.some(isFile)) refuse('credentials from files are not allowed here');
  }
  return credentials;
}

function checkCommand({ command, env }: ExecPlugin, allowed: boolean | readonly string[]): void {
  if (allowed === true) return;
  if (allowed === false) refuse('credentials from a command are not allowed here');
  if (!allowed.includes(command)) refuse(`credentials come from no other command here than ${allowed.join(', ')}`);
  const odd = env.find(({ name }) => !PLAIN_VARIABLES.includes(name));
  if (odd !== undefined) refuse(`the variable ${JSON.stringify(odd.name)} may not be set for a command here`);
}

/** The text for an unknown scheme is one that clients of cluster registration know. */
export function checkProxyUrl(text: string): void {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase() ?? '';
  if (!PROXY_SCHEMES.includes(scheme)) {
    refuse(`failed to parse proxy url, unsupported scheme "${scheme}", must be http, https, or socks5`);
  }
  if (!URL.canParse(text)) refuse('failed to parse proxy url');
}

/** An address of a cluster: http or https, nothing in it that belongs in credentials. */
export function checkServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) refuse('the address of a cluster is a URL with https or http');
  if (url.username !== '' || url.password !== '') refuse('the address of a cluster carries no user and no password');
  return trimEndOf(text, '/');
}

export function refuse(message: string): never {
  throw new ApiError(Code.InvalidArgument, message);
}

function isFile(pem: Pem | undefined): boolean {
  return pem !== undefined && 'file' in pem;
}
