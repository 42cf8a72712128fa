import type { Cluster as LiveCluster } from '../../../clusters/index.ts';
import type { Cluster } from '../../../contract/index.ts';
import { permissionDenied } from '../authorise.ts';
import type { ClusterServiceOptions } from './cluster-context.ts';
import { countApplications } from './count-applications.ts';
import { describeCluster } from './describe-cluster.ts';

/** The answer about one cluster. One that has gone in the meantime is answered like one that never was. */
export function answerCluster(
  { applications, clusters, clock }: ClusterServiceOptions,
  cluster: LiveCluster | undefined,
  { probedVersion }: { readonly probedVersion?: string } = {},
): Cluster {
  if (cluster === undefined) throw permissionDenied();
  const counts = countApplications(applications, clusters);
  return describeCluster(cluster, { applications: counts.get(cluster.server) ?? 0, nowMs: clock.nowMs(), probedVersion });
}
