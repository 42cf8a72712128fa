import { describeAccountStories } from '../support/argocd-account-stories.ts';
import { connectToFairway } from '../support/connect-to-fairway.ts';
import { startFairway } from '../support/fairway.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

describeWithTool('argocd', 'the stock client and accounts', (argocd) => {
  describeAccountStories(async () => {
    const fairway = await startFairway();
    return { argocd: argocd(), fairway, api: await connectToFairway(fairway), namespace: 'argocd' };
  });
});
