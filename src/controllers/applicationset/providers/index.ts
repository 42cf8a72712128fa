/** Generators of application sets that ask servers of others: hosts of repositories, plugins, and resources that decide about clusters. */
export { createProviderGenerators } from './create-provider-generators.ts';
export type { ProviderOptions } from './provider-context.ts';
