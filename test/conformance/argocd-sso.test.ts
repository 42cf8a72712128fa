import { describeSsoStories } from '../support/argocd-sso-stories.ts';
import { startSsoFairway } from '../support/sso-fairway.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

describeWithTool('argocd', 'the stock client and single sign-on', (argocd) => {
  describeSsoStories(async () => ({ argocd: argocd(), server: await startSsoFairway() }));
});
