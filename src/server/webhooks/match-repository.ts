import { trimEndOf } from '../../base/index.ts';

/** A repository, without how it is reached: `git.example.com` and `acme/shop`. */
interface Place {
  readonly host: string;
  readonly path: string;
}

/**
 * Makes a test whether a repository's address, in whichever way it is written, means one of those that a webhook names: the scheme, the
 * user, the port, a host that begins with `ssh.`, the `:` of an SSH address, upper case and `.git` make no difference. The texts are
 * compared, never used as patterns.
 */
export function matchRepository(named: readonly string[]): (address: string) => boolean {
  const places = named.map(readPlace).filter((place) => place !== undefined);
  return (address) => {
    const rest = stripAccess(address);
    return places.some((place) => means(rest, place));
  };
}

function readPlace(address: string): Place | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  const path = stripEnd(decode(pathname.replace(/^\/+/, '')).toLowerCase());
  return hostname === '' || path === '' ? undefined : { host: hostname.toLowerCase(), path };
}

/** Without scheme, user and the start of a host that only serves SSH. */
function stripAccess(address: string): string {
  const bare = decode(address.trim()).toLowerCase();
  const afterScheme = bare.replace(/^(?:https?|ssh):\/\//, '');
  const slash = afterScheme.search(/[/:]/);
  const at = afterScheme.indexOf('@');
  // A user may have a password, so the first colon need not end the host.
  const isUser = at >= 0 && (at < afterScheme.indexOf('/') || !afterScheme.includes('/') || slash > at);
  return stripEnd((isUser ? afterScheme.slice(at + 1) : afterScheme).replace(/^(?:alt)?ssh\./, ''));
}

function means(rest: string, { host, path }: Place): boolean {
  if (!rest.startsWith(host)) return false;
  const after = rest.slice(host.length);
  return isPathAfter(after, path) || isPathAfter(after.replace(/^:\d+(?=[:/])/, ''), path);
}

function isPathAfter(text: string, path: string): boolean {
  return (text.startsWith('/') || text.startsWith(':')) && text.slice(1) === path;
}

function stripEnd(path: string): string {
  return trimEndOf(path, '/').replace(/\.git$/, '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that stands for itself.
    return text;
  }
}
