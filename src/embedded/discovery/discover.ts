import type { DiscoveredResource } from '../../kube/index.ts';
import type { KindRegistry } from '../kinds/kind-registry.ts';
import type { Kind } from '../kinds/kind.ts';

/** Made anew when a kind comes, changes or goes. */
export function createDiscovery(kinds: KindRegistry): () => readonly DiscoveredResource[] {
  let known: readonly DiscoveredResource[] | undefined;
  kinds.onChange(() => {
    known = undefined;
  });
  return () => (known ??= kinds.list().map(discoveredResource));
}

function discoveredResource({ type, singular, shortNames, categories, verbs, subresources, isPreferred }: Kind): DiscoveredResource {
  return {
    ...type,
    singular: singular ?? type.kind.toLowerCase(),
    shortNames: shortNames ?? [],
    categories: categories ?? [],
    verbs,
    subresources,
    preferred: isPreferred ?? true,
  };
}
