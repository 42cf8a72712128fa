import type { Sealed } from '../sealed.ts';
import type { GeneralSettings } from '../tables/general-settings.ts';
import type { AccountToken, SecretSettings } from '../tables/secret-settings.ts';

export const adminName = 'admin';

export type AccountCapability = 'login' | 'apiKey';

/** A local account. Times are seconds since the epoch. */
export interface Account {
  readonly name: string;
  readonly enabled: boolean;
  readonly capabilities: readonly AccountCapability[];
  /** bcrypt; undefined while no password was set. */
  readonly passwordHash: Sealed<string> | undefined;
  /** Tokens from before are void. */
  readonly passwordMtime: number | undefined;
  readonly tokens: readonly AccountToken[];
}

type AccountSettings = Pick<GeneralSettings, 'adminEnabled' | 'accountCapabilities' | 'accountEnabled'>;
type AccountSecrets = Pick<
  SecretSettings,
  'adminPassword' | 'adminPasswordMtime' | 'adminTokens' | 'accountPasswords' | 'accountPasswordMtimes' | 'accountTokens'
>;

const noTokens: readonly AccountToken[] = Object.freeze([]);

/** All local accounts by name: `admin` and those that argocd-cm declares. Without a declaration, what a Secret holds is no account. */
export function readAccounts(general: AccountSettings, secret: AccountSecrets): ReadonlyMap<string, Account> {
  const declared = new Set([...general.accountCapabilities.keys(), ...general.accountEnabled.keys()]);
  declared.delete(adminName);
  const accounts = [readAdmin(general, secret), ...[...declared].map((name) => readAccount(name, general, secret))];
  accounts.sort((left, right) => (left.name < right.name ? -1 : 1));
  return new Map(accounts.map((account) => [account.name, Object.freeze(account)]));
}

function readAdmin(general: AccountSettings, secret: AccountSecrets): Account {
  const more = general.accountCapabilities.get(adminName) ?? [];
  return {
    name: adminName,
    // `accounts.admin.enabled` is a spelling of the same, and either can switch the account off.
    enabled: general.adminEnabled && (general.accountEnabled.get(adminName) ?? true),
    capabilities: more.includes('apiKey') ? ['login', 'apiKey'] : ['login'],
    passwordHash: secret.adminPassword,
    passwordMtime: secret.adminPasswordMtime,
    tokens: secret.adminTokens,
  };
}

function readAccount(name: string, general: AccountSettings, secret: AccountSecrets): Account {
  return {
    name,
    enabled: general.accountEnabled.get(name) ?? true,
    capabilities: general.accountCapabilities.get(name) ?? [],
    passwordHash: secret.accountPasswords.get(name),
    passwordMtime: secret.accountPasswordMtimes.get(name),
    tokens: secret.accountTokens.get(name) ?? noTokens,
  };
}
