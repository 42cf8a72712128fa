import type { Clusters, ClustersOptions } from './clusters.ts';

export function createClusters(_options: ClustersOptions): Clusters {
  throw new Error('under construction');
}
