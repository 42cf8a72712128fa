import { ApiError, Code } from '../../base/index.ts';
import type { Cluster } from '../../clusters/index.ts';
import type { ResourceType } from '../../kube/index.ts';

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * How a cluster serves a kind. One that the cache does not know, or not in that version, may have come into being a moment ago: the
 * cluster is asked. Where it serves the kind in other versions alone, it is one of those.
 */
export async function findType(
  { api, cache }: Pick<Cluster, 'api' | 'cache'>,
  { group, version, kind }: Kind,
  signal: AbortSignal,
): Promise<ResourceType> {
  const known = cache.typeOf({ group, version, kind });
  if (known?.version === version) return known;
  const { resources } = await api.discover({ fresh: true, signal });
  const found = resources.find((resource) => resource.group === group && resource.version === version && resource.kind === kind) ?? known;
  if (found !== undefined) return found;
  throw new ApiError(
    Code.NotFound,
    `The Kubernetes API could not find ${group}/${kind}. Make sure the "${kind}" CRD is installed on the destination cluster.`,
  );
}
