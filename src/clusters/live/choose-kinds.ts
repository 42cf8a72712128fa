import type { DiscoveredResource } from '../../kube/index.ts';
import { isKindIncluded, type KindFilterOptions } from './kind-filter.ts';

export interface ChooseKindsOptions extends KindFilterOptions {
  /** Kinds are followed in these alone; in all where the list is empty. */
  readonly namespaces: readonly string[];
  readonly clusterResources: boolean;
}

/** A kind to follow, in one namespace or everywhere. */
export interface ChosenKind {
  readonly type: DiscoveredResource;
  readonly namespace: string | undefined;
}

/** The kinds to follow: each once, in the version that its group prefers, or the first that has it. */
export function chooseKinds(resources: readonly DiscoveredResource[], options: ChooseKindsOptions): readonly ChosenKind[] {
  const byName = new Map<string, DiscoveredResource>();
  for (const resource of resources) {
    if (!resource.verbs.includes('list') || !resource.verbs.includes('watch')) continue;
    const name = `${resource.group}/${resource.plural}`;
    const known = byName.get(name);
    if (known === undefined || (resource.preferred && !known.preferred)) byName.set(name, resource);
  }
  const { namespaces, clusterResources } = options;
  return [...byName.values()]
    .filter((type) => isKindIncluded(type, options))
    .flatMap((type): readonly ChosenKind[] => {
      if (namespaces.length === 0) return [{ type, namespace: undefined }];
      if (!type.namespaced) return clusterResources ? [{ type, namespace: undefined }] : [];
      return namespaces.map((namespace) => ({ type, namespace }));
    });
}

/** Two of them differ where another kind, version or namespace is followed. */
export function chosenKindId({ type, namespace }: ChosenKind): string {
  return `${type.group}/${type.version}/${type.plural}/${namespace ?? ''}`;
}
