import { openEmbeddedStage } from '../support/open-argocd-stage.ts';
import { describeApplicationSetStories } from '../support/argocd-appset-stories.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

describeWithTool('argocd', 'an application set of the stock client, with everything in one process', () => {
  describeApplicationSetStories((program) => openEmbeddedStage({}, program));
});
