import { openProjectUser } from '../support/argocd-project-user.ts';
import { describeRoleStories } from '../support/argocd-role-stories.ts';
import { describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

describeWithCluster('argocd proj role and argocd proj windows, on a real control plane', (cluster) => {
  describeRoleStories(async () => {
    const args = ['--kubeconfig', cluster().kubeconfig(), '--namespace', await testNamespace(cluster())];
    return openProjectUser(await ensureTool('argocd'), args);
  });
});
