import { basename, dirname } from 'node:path';
import { describe } from 'vitest';
import { createArgocdUser } from '../support/argocd.ts';
import type { StageParts } from '../support/argocd-stage.ts';
import { describeLookStories, testEditor } from '../support/argocd-look-stories.ts';
import { describeApplicationStories } from '../support/argocd-stories.ts';
import { describeSyncStories } from '../support/argocd-sync-stories.ts';
import { describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { startFairway } from '../support/fairway.ts';
import { startGitHttpServer } from '../support/git-http-server.ts';
import { createGitRepository } from '../support/git-repository.ts';
import { runCommand } from '../support/run-command.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

describeWithCluster('an application of the stock client, on a real control plane and from a git server', (cluster) => {
  const open = async (): Promise<StageParts> => {
    const [controlNamespace, namespace] = [await testNamespace(cluster()), await testNamespace(cluster())];
    const kubeconfig = cluster().kubeconfig();
    const kubectl = await ensureTool('kubectl');
    const repository = await createGitRepository({ 'README.md': 'Manifests.\n' });
    const server = await startGitHttpServer({ root: dirname(repository.folder) });
    const fairway = await startFairway({ args: ['--kubeconfig', kubeconfig, '--namespace', controlNamespace] });
    const user = await createArgocdUser(await ensureTool('argocd'), { EDITOR: testEditor });
    return {
      fairway,
      user,
      kubectl: (...args) => runCommand(kubectl, ['--kubeconfig', kubeconfig, ...args]),
      repository,
      repositoryUrl: `${server.url}/${basename(repository.folder)}`,
      controlNamespace,
      namespace,
      async close() {
        await user[Symbol.asyncDispose]();
        await fairway.stop();
        await server.close();
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
