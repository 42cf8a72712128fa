import type { EventRecorder, ObjectStore } from '../../kube/index.ts';
import type { FunctionLibrary } from '../../template/index.ts';
import type { GeneratorContext } from './generators/generator.ts';
import type { GeneratorRunner } from './generators/generator-runner.ts';

/** What the work on application sets needs. */
export interface ApplicationSetContext extends GeneratorContext {
  readonly applicationSets: ObjectStore;
  readonly applications: ObjectStore;
  /** Whether application sets of a namespace are looked after. */
  readonly isNamespaceEnabled: (namespace: string) => boolean;
  readonly generators: GeneratorRunner;
  /** Of templates. */
  readonly functions: FunctionLibrary;
  readonly events: EventRecorder;
}
