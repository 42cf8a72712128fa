import { describe } from 'vitest';
import { describeLookStories, testEditor } from '../support/argocd-look-stories.ts';
import { describeApplicationStories } from '../support/argocd-stories.ts';
import { describeSyncStories } from '../support/argocd-sync-stories.ts';
import { describeWithCluster } from '../support/cluster/shared-cluster.ts';
import { openClusterStage } from '../support/open-argocd-stage.ts';

describeWithCluster('an application of the stock client, on a real control plane and from a git server', (cluster) => {
  const open = () => openClusterStage(cluster(), { EDITOR: testEditor });

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
