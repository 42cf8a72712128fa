import type { JsonObject } from '../objects/index.ts';
import { keepEntries } from './keep-entries.ts';
import { configMapNames, secretNames } from './home-objects.ts';
import { BadValue } from './parsing/bad-value.ts';
import type { SettingWarning } from './read-table.ts';
import { freezeDeep, keepIdentity } from './same-value.ts';
import { Sealed } from './sealed.ts';
import { resolveObject, resolveText, type SecretLookup } from './secret-references.ts';
import type { Snapshot, WebhookSecrets } from './snapshot.ts';
import type { GeneralSettings } from './tables/general-settings.ts';
import { readDexConnectors, readOidcConfig } from './tables/oidc-config.ts';
import type { SecretSettings } from './tables/secret-settings.ts';

interface ProvidersInput {
  readonly general: GeneralSettings;
  readonly secret: SecretSettings;
  readonly lookup: SecretLookup;
  readonly before: Snapshot | undefined;
  readonly warn: (warning: SettingWarning) => void;
}

type Providers = Pick<Snapshot, 'oidc' | 'dex' | 'extensions' | 'webhooks'>;

/** What names secrets, with the secrets in place. */
export function readProviders({ general, secret, lookup, before, warn }: ProvidersInput): Providers {
  const resolve = (key: string, config: Sealed<JsonObject>): JsonObject =>
    resolveObject(config.reveal(), lookup, (at) =>
      warn({ object: configMapNames.general, key, reason: `${at} names a secret that is not there, and is taken as it is` }),
    );
  /** What was good with the reference may be bad with the secret. */
  const read = <Value>(key: string, config: Sealed<JsonObject> | undefined, use: (resolved: JsonObject) => Value): Value | undefined => {
    if (config === undefined) return undefined;
    try {
      return use(resolve(key, config));
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      warn({ object: configMapNames.general, key, reason: `with its secrets in place, ${error.message}; it is not used` });
      return undefined;
    }
  };
  const extensions = new Map([...general.extensions].map(([name, config]) => [name, seal(resolve(`extension.config.${name}`, config))]));
  if (general.extension !== undefined) extensions.set('', seal(resolve('extension.config', general.extension)));
  return {
    oidc: keepIdentity(
      before?.oidc,
      read('oidc.config', general.oidcConfig, (resolved) => freezeDeep(readOidcConfig(resolved))),
    ),
    dex: keepIdentity(
      before?.dex,
      read('dex.config', general.dexConfig, (resolved) => freezeDeep({ connectors: readDexConnectors(resolved), config: seal(resolved) })),
    ),
    extensions: keepEntries(before?.extensions, extensions),
    webhooks: keepIdentity(before?.webhooks, readWebhooks(secret, lookup, warn)),
  };
}

function seal(config: JsonObject): Sealed<JsonObject> {
  return new Sealed(freezeDeep(config));
}

function readWebhooks(secret: SecretSettings, lookup: SecretLookup, warn: (warning: SettingWarning) => void): WebhookSecrets {
  const resolve = (key: string, value: Sealed<string> | undefined): Sealed<string> | undefined => {
    if (value === undefined) return undefined;
    const onMissing = () => warn({ object: secretNames.main, key, reason: 'names a secret that is not there, and is taken as it is' });
    return new Sealed(resolveText(value.reveal(), lookup, onMissing));
  };
  return Object.freeze({
    github: resolve('webhook.github.secret', secret.webhookGithub),
    gitlab: resolve('webhook.gitlab.secret', secret.webhookGitlab),
    bitbucketUuid: resolve('webhook.bitbucket.uuid', secret.webhookBitbucket),
    bitbucketServer: resolve('webhook.bitbucketserver.secret', secret.webhookBitbucketServer),
    gogs: resolve('webhook.gogs.secret', secret.webhookGogs),
    azureUsername: resolve('webhook.azuredevops.username', secret.webhookAzureUsername),
    azurePassword: resolve('webhook.azuredevops.password', secret.webhookAzurePassword),
  });
}
