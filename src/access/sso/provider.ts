import type { JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';
import { ApiError, Code, type Clock, type Logger } from '../../base/index.ts';
import { describeProviderFailure } from './describe-provider-failure.ts';
import { createProviderFetch, type ProviderFetch } from './provider-fetch.ts';
import { createProviderKeys } from './provider-keys.ts';
import type { SsoProviderConfig } from './sso-settings.ts';

/** How long what a provider says about itself is taken for true. */
const discoveryMaxAgeMs = 60 * 60_000;
/** After a failure nobody waits for the provider again until then. */
const failurePauseMs = 3_000;
const timeoutSeconds = 10;

/** Keyed secrets would let whoever knows the public key sign. */
const asymmetricAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** What a provider says about itself. */
export interface Discovered {
  readonly configuration: Configuration;
  readonly issuer: string;
  readonly keys: JWTVerifyGetKey;
  readonly algorithms: readonly string[];
  readonly userInfoEndpoint: string | undefined;
}

export interface Provider {
  readonly config: SsoProviderConfig;
  readonly fetch: ProviderFetch;
  /** Rejects with Unavailable, saying why, while the provider cannot be asked. */
  discover(): Promise<Discovered>;
}

export interface ProviderOptions {
  readonly config: SsoProviderConfig;
  readonly skipTlsVerify: boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createProvider({ config, skipTlsVerify, clock, log }: ProviderOptions): Provider {
  const fetch = createProviderFetch({ rootCA: config.rootCA, skipTlsVerify });
  let known: { readonly discovered: Discovered; readonly atMs: number } | undefined;
  let failed: { readonly error: ApiError; readonly atMs: number } | undefined;
  let running: Promise<Discovered> | undefined;
  let keys: { readonly address: string; readonly find: JWTVerifyGetKey } | undefined;

  const onKept = (error: unknown): void =>
    log.warn('the keys of the SSO provider cannot be asked for anew, those that are known stay in use', {
      issuer: config.issuer,
      reason: describeProviderFailure(config, error).message,
    });

  /** What is known of keys outlasts what else the provider says about itself. */
  function keysAt({ href: address }: URL): JWTVerifyGetKey {
    if (keys?.address === address) return keys.find;
    const find = createProviderKeys({ address, fetch, clock, onKept });
    keys = { address, find };
    return find;
  }

  async function ask(): Promise<Discovered> {
    try {
      const discovered = await discoverProvider(config, fetch, keysAt);
      known = { discovered, atMs: clock.nowMs() };
      failed = undefined;
      return discovered;
    } catch (error) {
      const unavailable = describeProviderFailure(config, error);
      log.warn('the SSO provider cannot be asked', { issuer: config.issuer, reason: unavailable.message });
      failed = { error: unavailable, atMs: clock.nowMs() };
      // What it said before is better than nobody signing in.
      if (known !== undefined) return known.discovered;
      throw unavailable;
    } finally {
      running = undefined;
    }
  }

  return {
    config,
    fetch,
    async discover() {
      const nowMs = clock.nowMs();
      if (known !== undefined && nowMs - known.atMs < discoveryMaxAgeMs) return known.discovered;
      if (failed !== undefined && nowMs - failed.atMs < failurePauseMs) {
        if (known !== undefined) return known.discovered;
        throw failed.error;
      }
      running ??= ask();
      // Nobody waits for what is known well enough: a provider that hangs would hold up every call.
      return known === undefined ? running : known.discovered;
    },
  };
}

async function discoverProvider(
  config: SsoProviderConfig,
  fetch: ProviderFetch,
  keysAt: (address: URL) => JWTVerifyGetKey,
): Promise<Discovered> {
  // Loaded when somebody uses single sign-on: a start should not wait for it.
  const client = await import('openid-client');
  const issuer = new URL(config.issuer);
  const secret = config.clientSecret.reveal();
  // Whoever writes `http:` into the configuration has a provider without TLS; nothing else may lead there.
  const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  const options = { execute, timeout: timeoutSeconds, [client.customFetch]: fetch };
  let configuration = await client.discovery(issuer, config.clientID, undefined, client.None(), options);
  const metadata = configuration.serverMetadata();
  if (metadata.jwks_uri === undefined) throw new ApiError(Code.Unavailable, 'its configuration names no keys (jwks_uri)');
  if (secret !== '') {
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
    configuration = new client.Configuration(metadata, config.clientID, undefined, authenticate);
    configuration[client.customFetch] = fetch;
    configuration.timeout = timeoutSeconds;
    for (const change of execute) change(configuration);
  }
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
  return {
    configuration,
    issuer: metadata.issuer,
    keys: keysAt(checkEndpoint(metadata.jwks_uri, issuer)),
    algorithms: offered.filter((name) => asymmetricAlgorithms.includes(name)),
    userInfoEndpoint: metadata.userinfo_endpoint,
  };
}

/** What is reached through TLS must not lead to where it is not. */
export function checkEndpoint(address: string, issuer: URL): URL {
  const url = new URL(address, issuer);
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && issuer.protocol === 'http:');
  if (!isWeb) throw new ApiError(Code.Unavailable, 'its configuration names an address without TLS');
  return url;
}
