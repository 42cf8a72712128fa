import { basename, dirname } from 'node:path';
import { createArgocdUser } from '../support/argocd.ts';
import { describeActionStories } from '../support/argocd-action-stories.ts';
import type { StageParts } from '../support/argocd-stage.ts';
import { describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { startFairway } from '../support/fairway.ts';
import { startGitHttpServer } from '../support/git-http-server.ts';
import { createGitRepository } from '../support/git-repository.ts';
import { runCommand } from '../support/run-command.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

describeWithCluster('actions of the stock client, on a real control plane', (cluster) => {
  const open = async (): Promise<StageParts> => {
    const [controlNamespace, namespace] = [await testNamespace(cluster()), await testNamespace(cluster())];
    const kubeconfig = cluster().kubeconfig();
    const kubectl = await ensureTool('kubectl');
    const repository = await createGitRepository({ 'README.md': 'Manifests.\n' });
    const server = await startGitHttpServer({ root: dirname(repository.folder) });
    const fairway = await startFairway({ args: ['--kubeconfig', kubeconfig, '--namespace', controlNamespace] });
    const user = await createArgocdUser(await ensureTool('argocd'));
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

  describeActionStories(open);
});
