import { describeApplicationSetStories } from '../support/argocd-appset-stories.ts';
import { describeWithCluster } from '../support/cluster/shared-cluster.ts';
import { openClusterStage } from '../support/open-argocd-stage.ts';

describeWithCluster('an application set of the stock client, on a real control plane', (cluster) => {
  describeApplicationSetStories((program) => openClusterStage(cluster(), {}, program));
});
