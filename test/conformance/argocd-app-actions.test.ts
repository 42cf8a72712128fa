import { createArgocdUser } from '../support/argocd.ts';
import { describeActionStories } from '../support/argocd-action-stories.ts';
import type { StageParts } from '../support/argocd-stage.ts';
import { startFairway } from '../support/fairway.ts';
import { createGitRepository } from '../support/git-repository.ts';
import { createKubectlUser } from '../support/kubectl.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

describeWithTool('argocd', 'actions of the stock client, with everything in one process', (argocd) => {
  const open = async (): Promise<StageParts> => {
    const fairway = await startFairway();
    const user = await createArgocdUser(argocd());
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

  describeActionStories(open);
});
