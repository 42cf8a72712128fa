import type * as OpenIdClient from 'openid-client';
import { ApiError, Code, LruMap, type Clock, type Logger } from '../../base/index.ts';
import type { AccountStore } from '../account-store.ts';
import type { Caller } from '../caller.ts';
import { invalidSession } from '../session-token.ts';
import { describeProviderFailure } from './describe-provider-failure.ts';
import { loginStateSeconds, openLoginState, sealLoginState, type LoginState } from './login-state.ts';
import { chooseBase, findReturnAddress } from './return-address.ts';
import { defaultScopes } from './sso-settings.ts';
import type { SsoTokens } from './sso-tokens.ts';

/** States that came back are remembered for as long as they could come back again. */
const usedStatesMax = 10_000;

/** The words that clients know. */
const badReturnAddress =
  'Invalid redirect URL: the protocol and host (including port) must match and the path must be within allowed URLs if provided';

export interface LoginStart {
  /** Where to send the browser. */
  readonly location: string;
  /** For the browser to keep meanwhile. */
  readonly sealedState: string;
  readonly secure: boolean;
}

export interface LoginEnd {
  readonly location: string;
  /** The provider's own token: it is the session. */
  readonly token: string;
  readonly caller: Caller;
  readonly secure: boolean;
}

export interface BrowserLogin {
  /** `host` is what the browser called us; it only chooses among configured addresses. */
  start(request: { readonly returnAddress: string; readonly host: string | undefined }): Promise<LoginStart>;
  /** `query` is what the provider sent the browser back with. */
  finish(request: { readonly query: string; readonly sealedState: string }): Promise<LoginEnd>;
}

export interface BrowserLoginOptions {
  readonly tokens: () => SsoTokens;
  readonly urls: () => readonly string[];
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createBrowserLogin({ tokens, urls, accounts, clock, log }: BrowserLoginOptions): BrowserLogin {
  const used = new LruMap<string, true>(usedStatesMax);

  async function takeState(sealedState: string, sent: URLSearchParams): Promise<LoginState> {
    const state = await openLoginState(sealedState, accounts.signingKey, clock.nowMs());
    const isOurs = state !== undefined && sent.getAll('state').length === 1 && sent.get('state') === state.state;
    if (!isOurs || used.get(state.state) === true) throw badRequest('the sign-in was not started here, or is over; please start again');
    used.set(state.state, true);
    return state;
  }

  return {
    async start({ returnAddress, host }) {
      const base = chooseBase(urls(), host);
      if (base === undefined)
        throw new ApiError(Code.FailedPrecondition, 'single sign-on needs `url` in argocd-cm: the address of this server');
      const target = findReturnAddress(returnAddress, urls(), base);
      if (target === undefined) throw badRequest(badReturnAddress);
      const { provider } = tokens();
      const [client, { configuration }] = await Promise.all([import('openid-client'), provider.discover()]);
      const state: LoginState = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        returnAddress: target.address,
        redirectUri: `${target.base.replace(/\/+$/, '')}/auth/callback`,
        issuer: provider.config.issuer,
        expiresAtMs: clock.nowMs() + loginStateSeconds * 1000,
      };
      const sealedState = await sealLoginState(state, accounts.signingKey);
      if (sealedState === undefined) throw badRequest('the return address is too long');
      const parameters = new URLSearchParams(requestParameters(provider.config));
      parameters.set('redirect_uri', state.redirectUri);
      parameters.set('state', state.state);
      parameters.set('nonce', state.nonce);
      parameters.set('code_challenge', await client.calculatePKCECodeChallenge(state.verifier));
      parameters.set('code_challenge_method', 'S256');
      return {
        location: client.buildAuthorizationUrl(configuration, parameters).href,
        sealedState,
        secure: target.base.startsWith('https:'),
      };
    },

    async finish({ query, sealedState }) {
      const sent = new URLSearchParams(query);
      const state = await takeState(sealedState, sent);
      const refused = sent.get('error');
      if (refused !== null) throw badRequest(describeRefusal(refused, sent.get('error_description') ?? ''));
      const current = tokens();
      const base = chooseBase(urls(), undefined);
      // Settings may have changed meanwhile, and a cookie is no better than the key that it was made with.
      const target = base === undefined ? undefined : findReturnAddress(state.returnAddress, urls(), base);
      if (target === undefined || state.issuer !== current.provider.config.issuer) throw badRequest(badReturnAddress);
      const { token, accessToken, refreshToken } = await exchangeCode(current, state, query, log);
      current.keepGrant(token, { accessToken, refreshToken, startedAt: Math.floor(clock.nowMs() / 1000) });
      const caller = await current.verify(token);
      log.info('signed in with the SSO provider', { username: caller.username, issuer: caller.issuer });
      return { location: target.address, token, caller, secure: target.base.startsWith('https:') };
    },
  };
}

function requestParameters(config: SsoTokens['provider']['config']): Record<string, string> {
  const scopes = config.requestedScopes ?? [];
  const claims = config.requestedIDTokenClaims;
  return {
    scope: (scopes.length === 0 ? defaultScopes : scopes).join(' '),
    ...(Object.keys(claims).length > 0 && { claims: JSON.stringify({ id_token: claims }) }),
    ...(config.domainHint !== '' && { domain_hint: config.domainHint }),
  };
}

interface Exchanged {
  readonly token: string;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
}

async function exchangeCode({ provider }: SsoTokens, state: LoginState, query: string, log: Logger): Promise<Exchanged> {
  const { configuration } = await provider.discover();
  const client = await import('openid-client');
  const checks = { pkceCodeVerifier: state.verifier, expectedState: state.state, expectedNonce: state.nonce, idTokenExpected: true };
  try {
    const answer = await client.authorizationCodeGrant(configuration, new URL(`${state.redirectUri}?${query}`), checks);
    return { token: answer.id_token ?? '', accessToken: answer.access_token, refreshToken: answer.refresh_token };
  } catch (error) {
    const refused = findRefusal(client, error);
    if (refused !== undefined) {
      log.warn('the SSO provider does not give a token for a code', { issuer: provider.config.issuer, reason: refused });
      throw new ApiError(Code.Unauthenticated, `the SSO provider does not accept the sign-in: ${refused}`);
    }
    const failure = describeProviderFailure(provider.config, error);
    log.warn('signing in with the SSO provider failed', { issuer: provider.config.issuer, reason: failure.message });
    throw isAboutToken(error) ? invalidSession('failed to verify the token') : failure;
  }
}

/** The word of the provider for why it gives no token. A challenge means that it does not take us for its client. */
function findRefusal(client: typeof OpenIdClient, error: unknown): string | undefined {
  if (error instanceof client.ResponseBodyError) return plain(error.error, 64);
  return error instanceof client.WWWAuthenticateChallengeError ? 'invalid_client' : undefined;
}

/** Whether the answer came and was not to be believed, in distinction to not having come. */
function isAboutToken(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^OAUTH_(?:JWT_|INVALID_|KEY_|JSON_ATTRIBUTE_|UNSUPPORTED|PARSE)/.test(code);
}

/** What the provider says, without anything that a page or a terminal could take for more than words. */
function describeRefusal(error: string, description: string): string {
  return description === '' ? plain(error, 64) : `${plain(error, 64)}: ${plain(description, 256)}`;
}

function plain(text: string, lengthMax: number): string {
  return text.replaceAll(/[^\w .,:;'/@()-]/g, ' ').slice(0, lengthMax);
}

function badRequest(message: string): ApiError {
  return new ApiError(Code.InvalidArgument, message);
}
