import type { JsonObject } from '../objects/index.ts';
import type { Account } from './accounts/account.ts';
import type { LabelledSecretType } from './home-objects.ts';
import type { Sealed } from './sealed.ts';
import type { GeneralSettings } from './tables/general-settings.ts';
import type { DexConnector, OidcConfig } from './tables/oidc-config.ts';
import type { ParameterSettings } from './tables/parameter-settings.ts';
import type { RbacSettings } from './tables/rbac-settings.ts';
import type { ResourceOverride } from './tables/resource-override.ts';
import type { SecretSettings } from './tables/secret-settings.ts';

/** A Secret that describes a repository, a cluster or credentials. */
export interface LabelledSecret {
  readonly name: string;
  readonly type: LabelledSecretType;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly data: ReadonlyMap<string, Sealed<string>>;
}

/** What webhooks are checked with, references replaced; undefined where it is not configured. */
export interface WebhookSecrets {
  readonly github: Sealed<string> | undefined;
  readonly gitlab: Sealed<string> | undefined;
  readonly bitbucketUuid: Sealed<string> | undefined;
  readonly bitbucketServer: Sealed<string> | undefined;
  readonly gogs: Sealed<string> | undefined;
  readonly azureUsername: Sealed<string> | undefined;
  readonly azurePassword: Sealed<string> | undefined;
}

/** The certificate of the server, as PEM. */
export interface ServerCertificate {
  /** The Secret that it is from. */
  readonly secret: string;
  readonly certificate: string;
  readonly key: Sealed<string>;
}

/**
 * All settings at one moment. Nothing in it changes; a part that did not change is the very same object in the next snapshot.
 * Secrets are sealed: neither a log nor JSON shows them.
 */
export interface Snapshot {
  /** Counts up with each snapshot of this process. */
  readonly version: number;
  /** argocd-cm */
  readonly general: GeneralSettings;
  /** argocd-rbac-cm */
  readonly rbac: RbacSettings;
  /** All policy lines in their order. */
  readonly policy: string;
  /** Some policy lines were bad from the start and are not in force: what they would have denied is not denied. */
  readonly policyIncomplete: boolean;
  /** argocd-cmd-params-cm */
  readonly parameters: ParameterSettings;
  /** argocd-secret */
  readonly secret: SecretSettings;
  readonly accounts: ReadonlyMap<string, Account>;
  /** With references replaced. */
  readonly oidc: OidcConfig | undefined;
  readonly dex: { readonly connectors: readonly DexConnector[]; readonly config: Sealed<JsonObject> } | undefined;
  /** By name; the one of the key without a name has the empty name. */
  readonly extensions: ReadonlyMap<string, Sealed<JsonObject>>;
  readonly webhooks: WebhookSecrets;
  /** By `<group>/<Kind>`, `<Kind>` or, for all, two stars with a slash. */
  readonly resourceOverrides: ReadonlyMap<string, ResourceOverride>;
  readonly certificate: ServerCertificate | undefined;
  /** In the format of OpenSSH. */
  readonly sshKnownHosts: string;
  /** PEM by host name. */
  readonly tlsCertificates: ReadonlyMap<string, string>;
  /** Armoured public keys by id. */
  readonly gpgKeys: ReadonlyMap<string, string>;
  readonly labelledSecrets: ReadonlyMap<string, LabelledSecret>;
  /** Ids of ended sessions, hashed, and when they expire in seconds since the epoch. */
  readonly revokedTokens: ReadonlyMap<string, number>;
  /** Until when accounts are locked after too many guesses, by hashed name, in milliseconds since the epoch. */
  readonly lockouts: ReadonlyMap<string, number>;
}

/** A part of the snapshot that is another now: `{ part: 'general', name: 'url' }`, `{ part: 'accounts', name: 'alice' }`. */
export interface SettingChange {
  readonly part: Exclude<keyof Snapshot, 'version'>;
  /** The field or the entry; empty where the part has none. */
  readonly name: string;
}

const recordParts: readonly string[] = ['general', 'rbac', 'parameters', 'secret', 'webhooks'];

/** What differs, by reference. */
export function listChanges(before: Snapshot, after: Snapshot): readonly SettingChange[] {
  const changes: SettingChange[] = [];
  for (const part of Object.keys(after) as (keyof Snapshot)[]) {
    if (part === 'version' || Object.is(before[part], after[part])) continue;
    const names = changedNames(part, before[part], after[part]);
    changes.push(...names.map((name) => ({ part, name })));
  }
  return changes;
}

function changedNames(part: string, before: unknown, after: unknown): string[] {
  if (before instanceof Map && after instanceof Map) {
    const names = new Set<string>([...before.keys(), ...after.keys()] as string[]);
    return [...names].filter((name) => !Object.is(before.get(name), after.get(name)) || before.has(name) !== after.has(name));
  }
  if (!recordParts.includes(part)) return [''];
  const [left, right] = [before as object, after as object];
  return Object.keys(right).filter((name) => !Object.is(Reflect.get(left, name), Reflect.get(right, name)));
}
