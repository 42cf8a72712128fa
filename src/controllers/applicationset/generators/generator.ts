import type { Clock, Logger, Timers } from '../../../base/index.ts';
import type { Clusters } from '../../../clusters/index.ts';
import type { KubeApi, ObjectStore } from '../../../kube/index.ts';
import type { ApplicationSet, ApplicationSetGenerator } from '../../../model/index.ts';
import type { Settings } from '../../../settings/index.ts';
import type { Sources } from '../../../sources/index.ts';
import type { GoMap } from '../../../template/index.ts';
import type { RenderText } from '../templates/render-text.ts';

/** What an entry of `spec.generators` may hold, in the order in which several in one entry run. */
export const generatorKeys = [
  'list',
  'clusters',
  'git',
  'scmProvider',
  'clusterDecisionResource',
  'pullRequest',
  'matrix',
  'merge',
  'plugin',
] as const;

export type GeneratorKey = (typeof generatorKeys)[number];

/** The block of a generator, for example what is below `git`. */
export type GeneratorSpec<Key extends GeneratorKey> = NonNullable<ApplicationSetGenerator[Key]>;

/**
 * What one application is made from. They are values as Go has them, because templates see their types: a list of texts is not a list of
 * anything (`textList`), an integer not a float (`integer`). Without Go templates the keys are flat (`path.basename`), and only texts can
 * be referred to.
 */
export type ParameterSet = GoMap;

/** What generators work with, the same for all of them. */
export interface GeneratorContext {
  readonly home: KubeApi;
  /** The namespace of the control plane. */
  readonly namespace: string;
  readonly projects: ObjectStore;
  readonly settings: Settings;
  readonly clusters: Clusters;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
}

export interface GeneratorRequest<Key extends GeneratorKey> {
  readonly spec: GeneratorSpec<Key>;
  /** The whole object: its name, its namespace (where the Secrets of providers are), its project. */
  readonly applicationSet: ApplicationSet;
  /** Whether parameters are nested and typed, or flat texts. */
  readonly goTemplate: boolean;
  /** In the object's own language and with its options. */
  readonly renderText: RenderText;
  /** Whether Secrets with tokens must be labelled for it: as the settings say for the controller, always for a preview. */
  readonly strictTokens: boolean;
  /** Whether somebody asked for a refresh: nothing that is remembered of the outside counts. */
  readonly fresh: boolean;
  readonly signal: AbortSignal;
}

/**
 * Yields sets of parameters. It either knows all of them or throws: an ApiError (or StatusError of the home API) whose text is shown to
 * users. An answer that may be partial is an error, because what is not generated is deleted.
 */
export interface Generator<Key extends GeneratorKey> {
  generate(request: GeneratorRequest<Key>): Promise<readonly ParameterSet[]>;
  /** After how long it would like to be asked again, without the object having changed; undefined or 0 is never. */
  requeueAfterMs(spec: GeneratorSpec<Key>): number | undefined;
}

export type GeneratorTable = { readonly [Key in GeneratorKey]: Generator<Key> };

/** Those that ask servers of others. `createProviderGenerators` of `providers/` makes them from a GeneratorContext. */
export type ProviderKey = 'scmProvider' | 'pullRequest' | 'clusterDecisionResource' | 'plugin';
export type ProviderGenerators = Pick<GeneratorTable, ProviderKey>;
