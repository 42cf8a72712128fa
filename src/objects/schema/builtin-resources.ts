import storedResources from './data/kubernetes-resources.json' with { type: 'json' };

/** A resource as discovery describes it. */
export interface ApiResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly string[];
}

/** The resources that every Kubernetes cluster serves, in their stable versions. */
export const builtinResources: readonly ApiResource[] = storedResources;
