import type { Clock } from '../../base/index.ts';
import { applicationSetFunctions } from '../../template/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import { createClusterGenerator } from './generators/cluster-generator.ts';
import { createGitGenerator } from './generators/git-generator.ts';
import { createGeneratorRunner } from './generators/generator-runner.ts';
import type { GeneratorContext, ProviderGenerators } from './generators/generator.ts';
import { listGenerator } from './generators/list-generator.ts';

/** All generators, and the functions of templates: what controller and preview share. */
export function createApplicationSetGenerators(
  context: GeneratorContext,
  providers: Partial<ProviderGenerators>,
): Pick<ApplicationSetContext, 'generators' | 'functions'> {
  return {
    generators: createGeneratorRunner({
      ...providers,
      list: listGenerator,
      clusters: createClusterGenerator(context),
      git: createGitGenerator(context),
    }),
    functions: createFunctions(context.clock),
  };
}

/** With the time and chance, as users know them, though a set that uses them is never done. */
function createFunctions(clock: Clock): ApplicationSetContext['functions'] {
  return applicationSetFunctions({
    now: () => clock.nowMs(),
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  });
}
