import { dexAdvice, type SsoSettings } from '../access/index.ts';
import type { Logger } from '../base/index.ts';
import type { Settings } from '../settings/index.ts';

/** What single sign-on needs to know, as it is at each moment. */
export function readSsoSettings(settings: Settings): () => SsoSettings {
  return () => {
    const { general, rbac, oidc, dex } = settings.current;
    return {
      provider: oidc,
      hasDex: dex !== undefined,
      skipTlsVerify: general.oidcTlsInsecure,
      urls: [general.url, ...general.additionalUrls].filter((url) => url !== ''),
      groupClaims: rbac.scopes,
    };
  };
}

/** Says once for each configuration that connectors of Dex do not work here, and what does. */
export function warnOfDex(settings: Settings, log: Logger): void {
  const warn = () => {
    const { oidc, dex } = settings.current;
    if (dex !== undefined && oidc === undefined)
      log.warn(dexAdvice, { connectors: dex.connectors.map(({ id, type }) => `${id} (${type})`) });
  };
  warn();
  settings.onChange(({ changes }) => {
    if (changes.some(({ part }) => part === 'dex' || part === 'oidc')) warn();
  });
}
