import { describeProjectStories } from '../support/argocd-project-stories.ts';
import { openProjectUser } from '../support/argocd-project-user.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

describeWithTool('argocd', 'argocd proj, with everything in one process', (argocd) => {
  describeProjectStories(() => openProjectUser(argocd()));
});
