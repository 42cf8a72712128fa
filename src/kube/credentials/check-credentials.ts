import { ApiError, Code } from '../../base/index.ts';
import type { Credentials, Pem } from './credentials.ts';

const PROXY_SCHEMES: readonly string[] = ['http', 'https', 'socks5'];

/** What the caller lets a configuration make this process do. Both are off unless said: configurations come over the API too. */
export interface CredentialPermissions {
  /** Programs that the configuration names may be run. */
  readonly allowCommands?: boolean;
  /** Files that the configuration names may be read. */
  readonly allowFiles?: boolean;
}

/** Refuses what contradicts itself, and what the caller does not allow. Never repeats a secret. */
export function checkCredentials(credentials: Credentials, permissions: CredentialPermissions): Credentials {
  const { identity, clientCertificate, trust, proxyUrl } = credentials;
  if (trust.insecure && trust.authority) refuse('a certificate authority and the insecure flag exclude each other');
  if (proxyUrl !== undefined) checkProxyUrl(proxyUrl);
  if (!permissions.allowCommands && identity.type === 'exec') refuse('credentials from a command are not allowed here');
  if (!permissions.allowFiles) {
    const pems = [trust.authority, clientCertificate?.certificate, clientCertificate?.key];
    if (identity.type === 'token-file' || pems.some(isFile)) refuse('credentials from files are not allowed here');
  }
  return credentials;
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
  return text.replace(/\/+$/, '');
}

export function refuse(message: string): never {
  throw new ApiError(Code.InvalidArgument, message);
}

function isFile(pem: Pem | undefined): boolean {
  return pem !== undefined && 'file' in pem;
}
