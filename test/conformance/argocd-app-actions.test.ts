import { describeActionStories } from '../support/argocd-action-stories.ts';
import { openEmbeddedStage } from '../support/open-argocd-stage.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

describeWithTool('argocd', 'actions of the stock client, with everything in one process', () => {
  describeActionStories(openEmbeddedStage);
});
