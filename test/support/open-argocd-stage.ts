/** Stages for stories with the stock client: everything in one process, or a real control plane and a git server. */
import { basename, dirname, join } from 'node:path';
import { createArgocdUser } from './argocd.ts';
import type { StageParts } from './argocd-stage.ts';
import { testNamespace, type SharedCluster } from './cluster/shared-cluster.ts';
import { startFairway } from './fairway.ts';
import { startGitHttpServer } from './git-http-server.ts';
import { createGitRepository } from './git-repository.ts';
import { createKubectlUser } from './kubectl.ts';
import { runCommand } from './run-command.ts';
import { ensureTool } from './tools/ensure-tool.ts';

/** What the client finds in its environment beside what it always does. */
type ClientEnvironment = Readonly<Record<string, string>>;
/** The same for the program. */
type ProgramEnvironment = Readonly<Record<string, string>>;

export async function openEmbeddedStage(environment: ClientEnvironment = {}, program: ProgramEnvironment = {}): Promise<StageParts> {
  const fairway = await startFairway({ env: program });
  const user = await createArgocdUser(await ensureTool('argocd'), environment);
  const kubectl = await createKubectlUser(await ensureTool('kubectl'), fairway);
  const repository = await createGitRepository({ 'README.md': 'Manifests.\n' });
  await kubectl.run('create', 'namespace', 'shop');
  return {
    fairway,
    user,
    kubectl: (...args) => kubectl.run(...args),
    kubeconfig: join(fairway.dataDir, 'kubeconfig'),
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
}

export async function openClusterStage(
  cluster: SharedCluster,
  environment: ClientEnvironment = {},
  program: ProgramEnvironment = {},
): Promise<StageParts> {
  const [controlNamespace, namespace] = [await testNamespace(cluster), await testNamespace(cluster)];
  const kubeconfig = cluster.kubeconfig();
  const kubectl = await ensureTool('kubectl');
  const repository = await createGitRepository({ 'README.md': 'Manifests.\n' });
  const server = await startGitHttpServer({ root: dirname(repository.folder) });
  const fairway = await startFairway({ args: ['--kubeconfig', kubeconfig, '--namespace', controlNamespace], env: program });
  const user = await createArgocdUser(await ensureTool('argocd'), environment);
  return {
    fairway,
    user,
    kubectl: (...args) => runCommand(kubectl, ['--kubeconfig', kubeconfig, ...args]),
    kubeconfig,
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
}
