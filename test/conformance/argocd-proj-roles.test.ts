import { openProjectUser } from '../support/argocd-project-user.ts';
import { describeRoleStories } from '../support/argocd-role-stories.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

describeWithTool('argocd', 'argocd proj role and argocd proj windows, with everything in one process', (argocd) => {
  describeRoleStories(() => openProjectUser(argocd()));
});
