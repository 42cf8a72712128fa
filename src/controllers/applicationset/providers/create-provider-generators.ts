import { LruMap } from '../../../base/index.ts';
import type { ProviderGenerators } from '../generators/generator.ts';
import { createClusterDecisionGenerator } from './cluster-decision-generator.ts';
import { createProviderMemory } from './http/provider-client.ts';
import { createPluginGenerator } from './plugin-generator.ts';
import type { ProviderContext, ProviderOptions } from './provider-context.ts';
import { defaultProviderLimits } from './provider-limits.ts';
import { createPullRequestGenerator } from './pull-request/pull-request-generator.ts';
import { createScmGenerator } from './scm/scm-generator.ts';

/** Tokens that were got from providers, of so many sources. */
const tokensMax = 1_000;

/** The generators that ask others. What is remembered of providers is shared by all application sets. */
export function createProviderGenerators(options: ProviderOptions): ProviderGenerators {
  const limits = { ...defaultProviderLimits, ...options.limits };
  const context: ProviderContext = {
    ...options,
    environment: options.environment ?? {},
    proxyEnvironment: options.proxyEnvironment ?? {},
    random: options.random ?? Math.random,
    limits,
    memory: createProviderMemory(limits),
    tokens: new LruMap(tokensMax),
  };
  return {
    scmProvider: createScmGenerator(context),
    pullRequest: createPullRequestGenerator(context),
    clusterDecisionResource: createClusterDecisionGenerator(context),
    plugin: createPluginGenerator(context),
  };
}
