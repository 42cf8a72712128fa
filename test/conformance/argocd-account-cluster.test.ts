import { describeAccountStories } from '../support/argocd-account-stories.ts';
import { connectTo, describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { startFairway } from '../support/fairway.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

describeWithCluster('the stock client and accounts, on a real control plane', (cluster) => {
  describeAccountStories(async () => {
    const namespace = await testNamespace(cluster());
    const fairway = await startFairway({ args: ['--kubeconfig', cluster().kubeconfig(), '--namespace', namespace] });
    return { argocd: await ensureTool('argocd'), fairway, api: await connectTo(cluster()), namespace };
  });
});
