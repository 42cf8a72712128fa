import { describeSyncFlags } from '../support/argocd-sync-flags.ts';
import { openEmbeddedStage } from '../support/open-argocd-stage.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

describeWithTool('argocd', 'syncs of the stock client with all their flags, with everything in one process', () => {
  describeSyncFlags(openEmbeddedStage);
});
