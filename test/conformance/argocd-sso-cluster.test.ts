import { describeSsoStories } from '../support/argocd-sso-stories.ts';
import { connectTo, describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { startSsoFairway } from '../support/sso-fairway.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

describeWithCluster('the stock client and single sign-on, on a real control plane', (cluster) => {
  describeSsoStories(async () => {
    const namespace = await testNamespace(cluster());
    const args = ['--kubeconfig', cluster().kubeconfig(), '--namespace', namespace];
    const server = await startSsoFairway({ args, api: await connectTo(cluster()), namespace });
    return { argocd: await ensureTool('argocd'), server };
  });
});
