import type { LruMap } from '../../../base/index.ts';
import type { GeneratorContext } from '../generators/generator.ts';
import type { ProviderMemory } from './http/provider-client.ts';
import type { ProviderLimits } from './provider-limits.ts';

export interface ProviderOptions extends Pick<
  GeneratorContext,
  'home' | 'namespace' | 'settings' | 'clusters' | 'clock' | 'timers' | 'log'
> {
  /** Tokens for those that name none (`GITHUB_TOKEN`, `GITLAB_TOKEN`, `GITEA_TOKEN`), and the credentials of AWS. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** `http_proxy`, `https_proxy` and `no_proxy`. */
  readonly proxyEnvironment?: Readonly<Record<string, string>>;
  readonly random?: () => number;
  readonly limits?: Partial<ProviderLimits>;
}

/** What every provider works with. */
export interface ProviderContext extends ProviderOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly proxyEnvironment: Readonly<Record<string, string>>;
  readonly random: () => number;
  readonly limits: ProviderLimits;
  readonly memory: ProviderMemory;
  /** Tokens that were got for others, by what they were got for. */
  readonly tokens: LruMap<string, { readonly token: string; readonly expiresMs: number }>;
}
