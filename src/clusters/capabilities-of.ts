import { formatApiVersion } from '../objects/index.ts';
import type { Cluster } from './clusters.ts';

/** What whoever renders is told of a cluster. */
export interface Capabilities {
  /** For example `1.36.3`; empty until the first sync. */
  readonly kubeVersion: string;
  /** Every version that it serves, and every kind in it. */
  readonly apiVersions: readonly string[];
}

const apiVersions = new WeakMap<readonly unknown[], readonly string[]>();

export function capabilitiesOf({ cache }: Pick<Cluster, 'cache'>): Capabilities {
  return { kubeVersion: cache.serverVersion.replace(/^v/, ''), apiVersions: apiVersionsOf(cache) };
}

/** Made once for each discovery, as every application asks for it. A version whose server does not answer is served all the same. */
function apiVersionsOf(cache: Cluster['cache']): readonly string[] {
  const { resources } = cache;
  const known = apiVersions.get(resources);
  if (known !== undefined) return known;
  const names = new Set<string>();
  for (const { group, version, kind } of resources) {
    const apiVersion = formatApiVersion({ group, version });
    names.add(apiVersion).add(`${apiVersion}/${kind}`);
  }
  for (const { type } of cache.troubles()) if (type.kind === '') names.add(formatApiVersion(type));
  const sorted = [...names].sort();
  apiVersions.set(resources, sorted);
  return sorted;
}
