import type { JsonObject } from '../../objects/index.ts';

/** An OpenID provider as it is configured. Durations are milliseconds. */
export interface SsoProviderConfig {
  readonly name: string;
  readonly issuer: string;
  readonly clientID: string;
  readonly clientSecret: { reveal(): string };
  readonly cliClientID: string;
  readonly requestedScopes: readonly string[] | undefined;
  readonly requestedIDTokenClaims: JsonObject;
  readonly logoutURL: string;
  /** PEM; empty for the authorities that the machine trusts. */
  readonly rootCA: string;
  readonly domainHint: string;
  readonly allowedAudiences: readonly string[];
  readonly skipAudienceCheckWhenTokenHasNoAudience: boolean;
  readonly enableUserInfoGroups: boolean;
  readonly userInfoPath: string;
  readonly userInfoBaseURL: string;
  readonly userInfoCacheExpiration: number;
  readonly refreshTokenThreshold: number;
}

/** What single sign-on needs to know, at one moment. */
export interface SsoSettings {
  /** The very same object for as long as nothing about it changes. */
  readonly provider: SsoProviderConfig | undefined;
  /** Whether connectors are configured in the form that Dex reads, which is not run here. */
  readonly hasDex: boolean;
  /** Whether the certificate of the provider is taken as it is. */
  readonly skipTlsVerify: boolean;
  /** The addresses that users reach us at, the main one first; none where none is configured. */
  readonly urls: readonly string[];
  /** The claims that name groups. The very same list for as long as it does not change. */
  readonly groupClaims: readonly string[];
}

export const defaultScopes: readonly string[] = ['openid', 'profile', 'email', 'groups'];

/** Who reads this has an installation with Dex, and wants to know what to write instead. */
export const dexAdvice =
  'dex.config is not used: Fairway speaks OpenID Connect itself and runs no Dex. Set oidc.config in argocd-cm to the issuer, clientID and ' +
  'clientSecret of your provider, or of a Dex that runs on its own';
