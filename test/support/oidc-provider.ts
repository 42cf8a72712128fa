/** A certified OpenID provider in the process of the test: people are signed in at once, as whoever the test says. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import Provider, { type Context } from 'oidc-provider';

export const WEB_CLIENT = { id: 'fairway-web', secret: 'the-secret-of-the-web-client' };
export const CLI_CLIENT = { id: 'fairway-cli' };

export interface Person {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

export interface OidcProviderOptions {
  /** Where browsers may come back to. */
  readonly redirectUris: readonly string[];
  readonly tls?: { readonly cert: string; readonly key: string };
  /** The address that it listens on, which is its name; 127.0.0.1 unless given. */
  readonly host?: string;
  /** How long its tokens last. */
  readonly tokenSeconds?: number;
  /** Whether claims are told only by the userinfo endpoint. */
  readonly claimsOnlyInUserInfo?: boolean;
}

export interface OidcProvider {
  readonly issuer: string;
  /** Who is signed in next. */
  person: Person;
  /** Paths that were asked, in order. */
  readonly asked: string[];
  /** Called instead of answering, while set. */
  disturb: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Signs what a test says with the provider's own key. */
  sign(claims: JWTPayload, header?: object): Promise<string>;
  /** From now on it signs with another key, and knows the former no more. */
  rotateKeys(): Promise<void>;
  close(): Promise<void>;
}

export async function startOidcProvider(options: OidcProviderOptions): Promise<OidcProvider> {
  let keys = await makeKeys();
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => undefined;
  const listen = (request: IncomingMessage, response: ServerResponse) => {
    provider.asked.push((request.url ?? '').split('?')[0] ?? '');
    if (provider.disturb?.(request, response) !== true) void handle(request, response);
  };
  const server = options.tls === undefined ? createHttpServer(listen) : createHttpsServer(options.tls, listen);
  const { host = '127.0.0.1' } = options;
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const issuer = `${options.tls === undefined ? 'http' : 'https'}://${host}:${(server.address() as AddressInfo).port}`;
  const provider: OidcProvider = {
    issuer,
    person: { sub: 'alice' },
    asked: [],
    disturb: undefined,
    sign: (claims, header = {}) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: keys.kid, ...header }).sign(keys.privateKey),
    async rotateKeys() {
      keys = await makeKeys();
      handle = createHandler(provider, keys, options);
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  handle = createHandler(provider, keys, options);
  return provider;
}

interface Keys {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: object;
}

async function makeKeys(): Promise<Keys> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = `key-${performance.now()}`;
  return { kid, privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' } };
}

function createHandler(owner: OidcProvider, keys: Keys, options: OidcProviderOptions) {
  const provider = new Provider(owner.issuer, {
    clients: [
      {
        client_id: WEB_CLIENT.id,
        client_secret: WEB_CLIENT.secret,
        redirect_uris: options.redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
      },
      {
        client_id: CLI_CLIENT.id,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://localhost/auth/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [keys.jwk] },
    cookies: { keys: ['for tests'] },
    claims: { openid: ['sub'], email: ['email'], profile: ['name'], groups: ['groups'] },
    conformIdTokenClaims: options.claimsOnlyInUserInfo ?? false,
    features: { devInteractions: { enabled: false } },
    ttl: { IdToken: options.tokenSeconds ?? 3600, AccessToken: 3600, RefreshToken: 7200, Interaction: 600, Session: 600, Grant: 7200 },
    issueRefreshToken: () => true,
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...owner.person, sub }) }),
    interactions: { url: () => '/sign-in-here' },
    async loadExistingGrant({ oidc }: Context) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile groups offline_access');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  return async (request: IncomingMessage, response: ServerResponse) => {
    if (!(request.url ?? '').startsWith('/sign-in-here')) return answer(request, response);
    return provider.interactionFinished(request, response, { login: { accountId: owner.person.sub, remember: false }, consent: {} });
  };
}
