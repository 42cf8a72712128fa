import { describe } from 'vitest';
import { createArgocdUser } from '../support/argocd.ts';
import type { StageParts } from '../support/argocd-stage.ts';
import { describeLookStories, testEditor } from '../support/argocd-look-stories.ts';
import { describeApplicationStories } from '../support/argocd-stories.ts';
import { describeSyncStories } from '../support/argocd-sync-stories.ts';
import { startFairway } from '../support/fairway.ts';
import { createGitRepository } from '../support/git-repository.ts';
import { createKubectlUser } from '../support/kubectl.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

describeWithTool('argocd', 'an application of the stock client, with everything in one process', (argocd) => {
  const open = async (): Promise<StageParts> => {
    const fairway = await startFairway();
    const user = await createArgocdUser(argocd(), { EDITOR: testEditor });
    const kubectl = await createKubectlUser(await ensureTool('kubectl'), fairway);
    const repository = await createGitRepository({ 'README.md': 'Manifests.\n' });
    await kubectl.run('create', 'namespace', 'shop');
    return {
      fairway,
      user,
      kubectl: (...args) => kubectl.run(...args),
      repository,
      repositoryUrl: repository.url,
      controlNamespace: 'argocd',
      namespace: 'shop',
      async close() {
        await user[Symbol.asyncDispose]();
        await kubectl[Symbol.asyncDispose]();
        await fairway.stop();
        await repository.remove();
      },
    };
  };

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
