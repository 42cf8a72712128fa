import { ApiError, Code } from '../../base/index.ts';
import { hasControlCharacter } from '../control-characters.ts';

/** A repository's address as git may be given it, with what it says about who asks taken out. */
export interface GitUrl {
  readonly transport: 'http' | 'https' | 'ssh' | 'file';
  /** Without user and password where the transport is HTTP. */
  readonly url: string;
  /** Lower case; empty for files. */
  readonly host: string;
  readonly port: number | undefined;
  readonly path: string;
  /** From the URL itself. */
  readonly username: string | undefined;
  readonly password: string | undefined;
}

const DEFAULT_PORTS = { http: 80, https: 443, ssh: 22 } as const;
const URL_LENGTH_MAX = 4096;
const SCP_FORM = /^(?:([^@/:\s]+)@)?([^@/:\s]+):(?!\/\/)(.+)$/;

/**
 * Reads a repository's URL and refuses everything that git would take for an option, a helper program or a transport that is not
 * meant for it.
 */
export function parseGitUrl(text: string, { allowFile }: { readonly allowFile: boolean }): GitUrl {
  const url = text.trim();
  // Encoded control characters are decoded by helpers later on, and then split the line that they are in.
  if (url.length > URL_LENGTH_MAX || hasControlCharacter(url) || hasControlCharacter(decodeLeniently(url)))
    throw refuse('it is too long or has control characters in it');
  if (url.startsWith('-')) throw refuse('it starts with a dash');
  if (/^[A-Za-z0-9+.-]+::/.test(url)) throw refuse('helper transports are not allowed');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return parseScpForm(url);
  if (scheme === 'file') return parseFile(url, allowFile);
  if (scheme !== 'https' && scheme !== 'http' && scheme !== 'ssh') throw refuse(`the scheme ${scheme} is not allowed`);
  return parseHierarchical(url, scheme);
}

/** Whether what is for the one server is for the other: the same scheme, host and port, and over SSH the same user. Never for files. */
export function isSameServer(one: GitUrl, other: GitUrl): boolean {
  const { transport } = one;
  if (transport === 'file' || other.transport !== transport || other.host !== one.host) return false;
  const portOf = ({ port }: GitUrl): number => port ?? DEFAULT_PORTS[transport];
  return portOf(one) === portOf(other) && (transport !== 'ssh' || one.username === other.username);
}

function parseHierarchical(url: string, transport: 'http' | 'https' | 'ssh'): GitUrl {
  let parsed: URL;
  try {
    // The parser of the platform knows the rules of HTTP only; those for user, host and port are the same.
    parsed = new URL(url.replace(/^[A-Za-z]+/, transport === 'ssh' ? 'http' : transport));
  } catch {
    // What cannot be parsed is told to the caller without repeating it: it may hold a password.
    throw refuse('it is not a valid URL');
  }
  const authority = /^[A-Za-z]+:\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
  const host = (/^(?:[^@]*@)?(\[[^\]]*\]|[^:]*)/.exec(authority)?.[1] ?? '').toLowerCase();
  // Two readers of one text must not see two hosts: to one of them a backslash begins the path.
  if (!isHost(host) || parsed.hostname !== host || authority.includes('\\')) throw refuse('its host is not valid');
  const path = parsed.pathname;
  if (transport === 'ssh' && path.replace(/^\/(?:~)?/, '').startsWith('-')) throw refuse('its path starts with a dash');
  const username = parsed.username === '' ? undefined : decodeURIComponent(parsed.username);
  const password = parsed.password === '' ? undefined : decodeURIComponent(parsed.password);
  if (username?.startsWith('-') === true) throw refuse('its user starts with a dash');
  const port = /:(\d+)$/.exec(authority)?.[1];
  const bare =
    transport === 'ssh' ? url.replace(/^([A-Za-z]+:\/\/[^@/:]*):[^@/]*@/, '$1@') : url.replace(/^([A-Za-z]+:\/\/)[^/?#]*@/, '$1');
  return {
    transport,
    url: bare,
    host,
    port: port === undefined ? undefined : Number(port),
    path,
    username,
    password,
  };
}

function parseScpForm(url: string): GitUrl {
  const parts = SCP_FORM.exec(url);
  if (parts === null) throw refuse('it is neither an http(s) nor an ssh URL');
  const [, username, host = '', path = ''] = parts;
  if (!isHost(host) || username?.startsWith('-') === true || path.startsWith('-')) throw refuse('its user, host or path is not valid');
  return { transport: 'ssh', url, host: host.toLowerCase(), port: undefined, path, username, password: undefined };
}

function parseFile(url: string, allowFile: boolean): GitUrl {
  if (!allowFile)
    throw new ApiError(
      Code.InvalidArgument,
      'repositories on the disk of the server (file://) are not allowed: it was started without --allow-file-repositories',
    );
  const path = decodeLeniently(url.slice('file://'.length));
  if (!path.startsWith('/')) throw refuse('a file URL has no host');
  return { transport: 'file', url, host: '', port: undefined, path, username: undefined, password: undefined };
}

/** Names, addresses and bracketed addresses; never something that ssh could take for an option. */
function isHost(host: string): boolean {
  return /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?|\[[0-9A-Fa-f:.]+\])$/.test(host);
}

function decodeLeniently(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function refuse(reason: string): ApiError {
  return new ApiError(Code.InvalidArgument, `the repository URL is refused: ${reason}`);
}
