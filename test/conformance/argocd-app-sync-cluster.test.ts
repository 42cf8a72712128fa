import { describeSyncFlags } from '../support/argocd-sync-flags.ts';
import { describeWithCluster } from '../support/cluster/shared-cluster.ts';
import { openClusterStage } from '../support/open-argocd-stage.ts';

describeWithCluster('syncs of the stock client with all their flags, on a real control plane', (cluster) => {
  describeSyncFlags(() => openClusterStage(cluster()));
});
