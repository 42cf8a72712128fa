import { readTokenCookie } from '../../../access/index.ts';
import type { Exchange } from './exchange.ts';

/** A request, as far as its token is concerned. */
type Headed = Pick<Exchange, 'header'>;

/**
 * Finds the token of a call over gRPC or gRPC-Web: the metadata `token` wins even when it is empty (stock clients
 * send it so when nobody is signed in), then a bearer token.
 */
export function findToken(request: Headed): string | undefined {
  const metadata = request.header('token');
  return metadata === undefined ? findBearerToken(request) : metadata || undefined;
}

/** The same over REST, where metadata has a prefix and browsers send a cookie. */
export function findRestToken(request: Headed): string | undefined {
  const metadata = request.header('grpc-metadata-token');
  if (metadata !== undefined) return metadata || undefined;
  const token = findBearerToken(request);
  if (token !== undefined) return token;
  const cookie = request.header('cookie');
  return cookie === undefined ? undefined : readTokenCookie(cookie);
}

const SCHEME = 'bearer ';

/** Something else may travel as a bearer token; only what has the three parts of a JWT is ours. */
function findBearerToken(request: Headed): string | undefined {
  const authorization = request.header('authorization');
  if (authorization === undefined || authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  const token = authorization.slice(SCHEME.length).trimStart();
  const first = token.indexOf('.');
  const second = token.indexOf('.', first + 1);
  const isJwt = first > 0 && second > first + 1 && second < token.length - 1 && !token.includes('.', second + 1) && !token.includes(' ');
  return isJwt ? token : undefined;
}
