/** Single sign-on and sessions without a server: for what takes hours, other settings, or tokens that no provider would give. */
import { randomBytes } from 'node:crypto';
import { createSessions, createSso, type AccountStore, type Sessions, type Sso, type SsoSettings } from '../../src/access/index.ts';
import { createLogger } from '../../src/base/index.ts';
import { CLI_CLIENT, WEB_CLIENT, type OidcProvider } from './oidc-provider.ts';

type ProviderConfig = NonNullable<SsoSettings['provider']>;

export interface SsoAccess {
  readonly sso: Sso;
  readonly sessions: Sessions;
  /** What is in force from now on. */
  settings: SsoSettings;
  readonly accounts: AccountStore;
  readonly logged: string[];
  /** Added to the time of the machine. */
  laterMs: number;
}

export function createSsoAccess(
  provider: Pick<OidcProvider, 'issuer'>,
  more: Partial<ProviderConfig> = {},
  kept: { readonly signingKey?: Uint8Array } = {},
): SsoAccess {
  const revoked = new Set<string>();
  const logged: string[] = [];
  const accounts: AccountStore = {
    find: () => undefined,
    sessionSeconds: 24 * 3600,
    signingKey: kept.signingKey ?? randomBytes(32),
    isRevoked: (id) => revoked.has(id),
    revoke: async (id) => void revoked.add(id),
  };
  const clock = { nowMs: () => Date.now() + access.laterMs };
  const log = createLogger({ level: 'debug', format: 'json', write: (line) => logged.push(line) });
  const sso = createSso({ settings: () => access.settings, accounts, clock, log });
  const access: SsoAccess = {
    sso,
    sessions: createSessions({ accounts, sso, clock }),
    accounts,
    logged,
    laterMs: 0,
    settings: {
      provider: { ...plainConfig, issuer: provider.issuer, ...more },
      hasDex: false,
      skipTlsVerify: false,
      urls: ['https://fairway.example'],
      groupClaims: ['groups'],
    },
  };
  return access;
}

const plainConfig: Omit<ProviderConfig, 'issuer'> = {
  name: 'test',
  clientID: WEB_CLIENT.id,
  clientSecret: { reveal: () => WEB_CLIENT.secret },
  cliClientID: CLI_CLIENT.id,
  requestedScopes: undefined,
  requestedIDTokenClaims: {},
  logoutURL: '',
  rootCA: '',
  domainHint: '',
  allowedAudiences: [],
  skipAudienceCheckWhenTokenHasNoAudience: false,
  enableUserInfoGroups: false,
  userInfoPath: '',
  userInfoBaseURL: '',
  userInfoCacheExpiration: 0,
  refreshTokenThreshold: 0,
};
