import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Stage } from '../support/argocd-stage.ts';
import { describeLookStories, testEditor } from '../support/argocd-look-stories.ts';
import { describeApplicationStories } from '../support/argocd-stories.ts';
import { describeSyncStories } from '../support/argocd-sync-stories.ts';
import { describeWithCluster } from '../support/cluster/shared-cluster.ts';
import { configMap } from '../support/git-repository.ts';
import { openClusterStage } from '../support/open-argocd-stage.ts';
import { waitUntil } from '../support/wait-until.ts';

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

  describe('has more objects than the cluster lets its status name', () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = new Stage(await open());
      await stage.signIn();
    }, 120_000);
    afterAll(() => stage?.parts.close());

    // etcd takes 1.5 MB, its client 2, and the API server 3.
    it.each([5_000, 9_900])('and is judged all the same, with %i of them', { timeout: 120_000 }, async (count) => {
      const { repository } = stage.parts;
      const name = `many-${count}`;
      const objects = Array.from({ length: count }, (_, index) => configMap(`${'n'.repeat(247)}-${index}`));
      await repository.commit({ [`${name}/all.yaml`]: objects.join('\n---\n') });
      await stage.create(name, name);
      await stage.waitForState(name, 'OutOfSync Missing');
      const { status } = await stage.get(name);
      expect(status?.conditions).toMatchObject([
        { type: 'UnknownError', message: expect.stringMatching(/^Application status exceeds the Kubernetes resource size limit/) },
      ]);
      expect(status?.resources ?? []).toEqual([]);
      // What is looked at anew and found to be the same is not written anew.
      const version = async (): Promise<string | undefined> => (await stage.get(name)).metadata.resourceVersion;
      const before = (await stage.get(name, '--refresh')).metadata.resourceVersion;
      expect(await version()).toBe(before);
      await repository.commit({ [`${name}/all.yaml`]: configMap('one') });
      await stage.get(name, '--refresh');
      const small = await waitUntil(async () => {
        const shown = await stage.get(name);
        return shown.status?.resources?.length === 1 && shown;
      });
      expect(small.status?.conditions ?? []).toEqual([]);
    });
  });
});
