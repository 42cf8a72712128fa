import { describe } from 'vitest';
import { describeLookStories, testEditor } from '../support/argocd-look-stories.ts';
import { describeApplicationStories } from '../support/argocd-stories.ts';
import { describeSyncStories } from '../support/argocd-sync-stories.ts';
import { openEmbeddedStage } from '../support/open-argocd-stage.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

describeWithTool('argocd', 'an application of the stock client, with everything in one process', () => {
  const open = () => openEmbeddedStage({ EDITOR: testEditor });

  describe('is looked after', () => {
    describeApplicationStories(open);
  });
  describe('is looked at and changed', () => {
    describeLookStories(open);
  });
  describe('is synced', () => {
    describeSyncStories(open);
  });
});
