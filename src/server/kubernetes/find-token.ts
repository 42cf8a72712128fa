import type { HttpRequest } from '../http.ts';

/**
 * The token of a request, from its authorization header: a bearer token, or the password of basic authentication. `kubectl` sends no
 * bearer token where there is no TLS, which on a loopback address is the usual case, but it does send what stands in the address of
 * the server. Cookies do not count: a page elsewhere could make a browser send them.
 */
export function findKubernetesToken({ headers }: Pick<HttpRequest, 'headers'>): string | undefined {
  const authorization = headers['authorization'] ?? '';
  const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1];
  if (basic === undefined) return undefined;
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1) || undefined;
}
