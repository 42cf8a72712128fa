import type { IncomingHttpHeaders } from 'node:http';
import { readTokenCookie } from '../../../access/index.ts';

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
