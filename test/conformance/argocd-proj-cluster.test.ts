import { describe } from 'vitest';
import { describeProjectStories } from '../support/argocd-project-stories.ts';
import { openProjectUser, type ProjectUser } from '../support/argocd-project-user.ts';
import { describeRoleStories } from '../support/argocd-role-stories.ts';
import { describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

describeWithCluster('argocd proj, on a real control plane', (cluster) => {
  const open = async (): Promise<ProjectUser> => {
    const args = ['--kubeconfig', cluster().kubeconfig(), '--namespace', await testNamespace(cluster())];
    return openProjectUser(await ensureTool('argocd'), args);
  };
  describe('projects', () => {
    describeProjectStories(open);
  });
  describe('roles and windows', () => {
    describeRoleStories(open);
  });
});
