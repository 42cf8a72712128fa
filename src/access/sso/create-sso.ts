import { ApiError, Code, type Clock, type Logger } from '../../base/index.ts';
import type { AccountStore } from '../account-store.ts';
import type { Caller } from '../caller.ts';
import { invalidSession } from '../session-token.ts';
import { createBrowserLogin, type BrowserLogin } from './browser-login.ts';
import { createProvider } from './provider.ts';
import { chooseBase } from './return-address.ts';
import { dexAdvice, type SsoSettings } from './sso-settings.ts';
import { createSsoTokens, type SsoTokens } from './sso-tokens.ts';

/** Single sign-on with the OpenID provider that is configured at the moment. */
export interface Sso extends Omit<SsoTokens, 'provider' | 'keepGrant'> {
  readonly browser: BrowserLogin;
  /** Whether there is anything to sign in with, or at least somebody to tell what to configure. */
  isConfigured(): boolean;
  /** Where a browser goes to sign out at the provider too; undefined where nothing is configured. */
  findLogoutAddress(caller: Caller, token: string): string | undefined;
}

export interface SsoOptions {
  /** As they are now: asked on every use. */
  readonly settings: () => SsoSettings;
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createSso({ settings, accounts, clock, log }: SsoOptions): Sso {
  let tokens: SsoTokens | undefined;
  let skipsTlsVerify = false;

  /** What belongs to one configuration is not believed in another. */
  function currentTokens(): SsoTokens | undefined {
    const { provider: config, skipTlsVerify } = settings();
    if (config === undefined) return (tokens = undefined);
    if (tokens?.provider.config === config && skipsTlsVerify === skipTlsVerify) return tokens;
    const provider = createProvider({ config, skipTlsVerify, clock, log });
    skipsTlsVerify = skipTlsVerify;
    return (tokens = createSsoTokens({ provider, groupClaims: () => settings().groupClaims, accounts, clock, log }));
  }

  function neededTokens(): SsoTokens {
    const current = currentTokens();
    if (current !== undefined) return current;
    throw settings().hasDex ? new ApiError(Code.Unimplemented, dexAdvice) : new ApiError(Code.NotFound, 'SSO is not configured');
  }

  return {
    browser: createBrowserLogin({ tokens: neededTokens, urls: () => settings().urls, accounts, clock, log }),
    isConfigured: () => settings().provider !== undefined || settings().hasDex,
    recall: (token) => currentTokens()?.recall(token),
    async verify(token) {
      const current = currentTokens();
      if (current === undefined) throw invalidSession('SSO is not configured');
      return current.verify(token);
    },
    forget: (tokenId) => currentTokens()?.forget(tokenId),
    isRenewalDue: (caller) => currentTokens()?.isRenewalDue(caller) ?? false,
    async renew(caller) {
      return neededTokens().renew(caller);
    },
    findLogoutAddress({ issuer }, token) {
      const { provider, urls } = settings();
      if (provider === undefined || !/^https?:\/\//.test(provider.logoutURL)) return undefined;
      if (provider.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, '')) return undefined;
      const home = chooseBase(urls, undefined) ?? '';
      const filled = provider.logoutURL
        .replaceAll('{{token}}', () => encodeURIComponent(token))
        .replaceAll('{{logoutRedirectURL}}', () => encodeURIComponent(home));
      return URL.canParse(filled) ? new URL(filled).href : undefined;
    },
  };
}
