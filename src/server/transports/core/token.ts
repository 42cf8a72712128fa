import type { IncomingHttpHeaders } from 'node:http';

const COOKIE = 'argocd.token';
/** More parts than any token of ours has. */
const COOKIE_PARTS_MAX = 20;

/**
 * Finds the token of a call over gRPC or gRPC-Web: the metadata `token` wins even when it is empty (stock clients
 * send it so when nobody is signed in), then a bearer token.
 */
export function findToken(headers: IncomingHttpHeaders): string | undefined {
  return findHeaderToken(headers, headers['token']);
}

/** The same over REST, where metadata has a prefix and browsers send a cookie. */
export function findRestToken(headers: IncomingHttpHeaders): string | undefined {
  const metadata = headers['grpc-metadata-token'];
  if (metadata !== undefined || headers.authorization !== undefined) {
    const token = findHeaderToken(headers, metadata);
    if (token !== undefined || metadata !== undefined) return token;
  }
  return headers.cookie === undefined ? undefined : readTokenCookie(headers.cookie);
}

function findHeaderToken(headers: IncomingHttpHeaders, metadata: string | string[] | undefined): string | undefined {
  if (metadata !== undefined) return String(metadata) || undefined;
  // Something else may travel as a bearer token; only what has the three parts of a JWT is ours.
  return /^bearer +([^\s.]+\.[^\s.]+\.[^\s.]+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Joins a token that was split over several cookies because it is too long for one. */
function readTokenCookie(header: string): string | undefined {
  const cookies = new Map<string, string>();
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).trim();
    if (equals > 0 && name.startsWith(COOKIE) && !cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  const first = cookies.get(COOKIE);
  const split = first === undefined ? null : /^(\d{1,2}):(.*)$/.exec(first);
  if (split === null) return first || undefined;
  const count = Number(split[1]);
  if (count > COOKIE_PARTS_MAX) return undefined;
  const parts = [split[2]!];
  for (let index = 1; index < count; index++) parts.push(cookies.get(`${COOKIE}-${index}`) ?? '');
  return parts.join('') || undefined;
}
