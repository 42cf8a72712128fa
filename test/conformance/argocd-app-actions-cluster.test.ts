import { describeActionStories } from '../support/argocd-action-stories.ts';
import { describeWithCluster } from '../support/cluster/shared-cluster.ts';
import { openClusterStage } from '../support/open-argocd-stage.ts';

describeWithCluster('actions of the stock client, on a real control plane', (cluster) => {
  describeActionStories(() => openClusterStage(cluster()));
});
