import type { Cluster, ClusterService } from '../../../contract/index.ts';
import type { Cluster as LiveCluster } from '../../../clusters/index.ts';
import type { Call } from '../../call.ts';
import { answerCluster } from './answer-cluster.ts';
import { createCluster, deleteCluster, invalidateCache, updateCluster } from './change-cluster.ts';
import { mayTouch, type ClusterServiceOptions } from './cluster-context.ts';
import { countApplications } from './count-applications.ts';
import { describeCluster } from './describe-cluster.ts';
import { findCluster, listWanted } from './find-clusters.ts';
import { rotateAuth } from './rotate-auth.ts';

/** How long a list waits for a cluster that nobody has registered to say its version. */
const VERSION_LIMIT_MS = 2_000;

/** The cluster service. No answer carries a credential. */
export function createClusterService(context: ClusterServiceOptions): ClusterService<Call> {
  const versionOf = createVersionReader();
  const answer = async (cluster: LiveCluster, call: Call): Promise<Cluster> => {
    const probedVersion = await versionOf(cluster, call.signal);
    return answerCluster(context, cluster, probedVersion === undefined ? {} : { probedVersion });
  };
  return {
    async List(query, call) {
      const { clusters, applications, clock } = context;
      const visible = clusters.list().filter(({ registration }) => mayTouch(context, call, registration, 'get'));
      const counts = countApplications(applications, clusters);
      const items = listWanted(visible, query).map(async (cluster) => {
        const probedVersion = await versionOf(cluster, call.signal);
        return describeCluster(cluster, { applications: counts.get(cluster.server) ?? 0, nowMs: clock.nowMs(), probedVersion });
      });
      return { items: await Promise.all(items) };
    },
    Get: async (query, call) => await answer(findCluster(context, query, call, 'get'), call),
    Create: (request, call) => createCluster(context, request, call),
    Update: (request, call) => updateCluster(context, request, call),
    Delete: (query, call) => deleteCluster(context, query, call),
    RotateAuth: (query, call) => rotateAuth(context, query, call),
    InvalidateCache: (query, call) => invalidateCache(context, query, call),
  };
}

/** The version of the cluster around Fairway, which is there also where nobody uses it. Undefined for any other. */
function createVersionReader(): (cluster: LiveCluster, signal: AbortSignal) => Promise<string | undefined> {
  let known: string | undefined;
  return async (cluster, signal) => {
    if (cluster.registration.secretName !== undefined) return undefined;
    if (known !== undefined) return known;
    try {
      const { gitVersion } = await cluster.api.version({ signal: AbortSignal.any([signal, AbortSignal.timeout(VERSION_LIMIT_MS)]) });
      // This one entry has always been written without the letter.
      known = typeof gitVersion === 'string' ? /^v?(\d+\.\d+\.\d+)/.exec(gitVersion)?.[1] : undefined;
      return known;
    } catch {
      // The list is no worse for it; the cache says what is wrong once somebody uses the cluster.
      return undefined;
    }
  };
}
