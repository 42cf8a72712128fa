import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { ApiError, Code, LruMap } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';
import { isJsonObject } from '../../objects/index.ts';
import { basicAuthorization } from '../http/http-get.ts';
import type { HttpGet } from '../http/http-request.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { AuthChallenge } from './auth-challenge.ts';
import { readJson } from './read-json.ts';

export interface TokenRequest {
  readonly access: RepositoryAccess;
  /** Of the registry. */
  readonly origin: string;
  readonly scope: string;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The headers that registries want, remembered for as long as they hold. */
export interface RegistryTokens {
  known(request: TokenRequest): string | undefined;
  /** Answers a challenge; undefined where there is nothing to answer with. */
  obtain(request: TokenRequest, challenge: AuthChallenge): Promise<string | undefined>;
}

const TOKENS_MAX = 1_000;
const TOKEN_BYTES_MAX = 256 << 10;
/** Where a registry does not say how long a token holds. */
const LIFETIME_SECONDS = 60;
const LIFETIME_SECONDS_MAX = 3_600;

interface Known {
  readonly header: string;
  readonly untilMs: number;
}

export function createRegistryTokens({ get, clock }: { readonly get: HttpGet; readonly clock: Clock }): RegistryTokens {
  const tokens = new LruMap<string, Known>(TOKENS_MAX);

  return {
    known(request) {
      const known = tokens.get(keyOf(request));
      return known === undefined || known.untilMs <= clock.nowMs() ? undefined : known.header;
    },
    async obtain(request, challenge) {
      const { access, origin } = request;
      const own = basicAuthorization(access);
      if (challenge.scheme === 'basic' || access.bearerToken !== undefined) {
        if (own !== undefined) tokens.set(keyOf(request), { header: own, untilMs: Infinity });
        return own;
      }
      const realm = checkRealm(challenge.realm, origin, own !== undefined);
      if (challenge.service !== '') realm.searchParams.set('service', challenge.service);
      const scope = challenge.scope || request.scope;
      if (scope !== '') realm.searchParams.set('scope', scope);
      const { limitMs, signal } = request;
      const { status, body } = await get({
        url: realm.href,
        access,
        authorization: own,
        withCertificate: realm.origin === origin,
        bytesMax: TOKEN_BYTES_MAX,
        limitMs,
        signal,
      });
      if (status !== 200)
        throw new ApiError(Code.Unknown, `failed to fetch a token from ${realm.origin}${realm.pathname}: status ${status}`);
      const { token, seconds } = readToken(body, realm);
      const header = `Bearer ${token}`;
      // A little early, so that none runs out on its way.
      tokens.set(keyOf(request), { header, untilMs: clock.nowMs() + seconds * 900 });
      return header;
    },
  };
}

/**
 * A registry may leave giving out tokens to somebody else, and whoever that is gets the credentials. So it must be of the same site, and
 * not less well protected than the registry itself.
 */
function checkRealm(realm: string, origin: string, hasCredentials: boolean): URL {
  const url = URL.canParse(realm) ? new URL(realm) : undefined;
  const registry = new URL(origin);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw new ApiError(Code.Unknown, 'the registry names no usable address for tokens');
  if (registry.protocol === 'https:' && url.protocol !== 'https:')
    throw new ApiError(Code.Unknown, `the registry gives out tokens without TLS, at ${url.host}`);
  if (hasCredentials && siteOf(url.hostname) !== siteOf(registry.hostname))
    throw new ApiError(Code.Unknown, `the registry wants its credentials to be sent to another site, ${url.host}`);
  return url;
}

/** The last two names of a host, or three below such as `co.uk`: what usually belongs to one owner. */
function siteOf(hostname: string): string {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return hostname;
  const names = hostname.toLowerCase().replace(/\.$/, '').split('.');
  const isCountry = (names.at(-1)?.length ?? 0) === 2 && (names.at(-2)?.length ?? 0) <= 3;
  return names.slice(isCountry ? -3 : -2).join('.');
}

function readToken(body: Buffer, { origin }: URL): { readonly token: string; readonly seconds: number } {
  const answer = readJson(body);
  const fields = isJsonObject(answer) ? answer : {};
  const token = [fields['token'], fields['access_token']].find((value) => typeof value === 'string' && value !== '');
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) throw new ApiError(Code.Unknown, `what ${origin} answers is no token`);
  const given = fields['expires_in'];
  const seconds = typeof given === 'number' && given > 0 ? Math.min(given, LIFETIME_SECONDS_MAX) : LIFETIME_SECONDS;
  return { token, seconds };
}

/** What one access was given is not used for another, nor with other credentials. */
function keyOf({ access, origin, scope }: TokenRequest): string {
  const own = createHash('sha256')
    .update(basicAuthorization(access) ?? '')
    .digest('hex');
  return JSON.stringify([origin, scope, access.owner, own]);
}
