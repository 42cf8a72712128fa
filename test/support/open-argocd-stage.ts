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
  await using stack = new AsyncDisposableStack();
  const repository = await createGitRepository({ 'README.md': 'Manifests.\n' });
  stack.defer(() => repository.remove());
  const fairway = await startFairway({ env: program });
  stack.defer(() => fairway.stop());
  const user = stack.use(await createArgocdUser(await ensureTool('argocd'), environment));
  const kubectl = stack.use(await createKubectlUser(await ensureTool('kubectl'), fairway));
  await kubectl.run('create', 'namespace', 'shop');
  const opened = stack.move();
  return {
    fairway,
    user,
    kubectl: (...args) => kubectl.run(...args),
    kubeconfig: join(fairway.dataDir, 'kubeconfig'),
    repository,
    repositoryUrl: repository.url,
    controlNamespace: 'argocd',
    namespace: 'shop',
    close: () => opened.disposeAsync(),
  };
}

export async function openClusterStage(
  cluster: SharedCluster,
  environment: ClientEnvironment = {},
  program: ProgramEnvironment = {},
): Promise<StageParts> {
  await using stack = new AsyncDisposableStack();
  const [controlNamespace, namespace] = [await testNamespace(cluster), await testNamespace(cluster)];
  const kubeconfig = cluster.kubeconfig();
  const kubectl = await ensureTool('kubectl');
  const repository = await createGitRepository({ 'README.md': 'Manifests.\n' });
  stack.defer(() => repository.remove());
  const server = await startGitHttpServer({ root: dirname(repository.folder) });
  stack.defer(() => server.close());
  const fairway = await startFairway({ args: ['--kubeconfig', kubeconfig, '--namespace', controlNamespace], env: program });
  stack.defer(() => fairway.stop());
  const user = stack.use(await createArgocdUser(await ensureTool('argocd'), environment));
  const opened = stack.move();
  return {
    fairway,
    user,
    kubectl: (...args) => runCommand(kubectl, ['--kubeconfig', kubeconfig, ...args]),
    kubeconfig,
    repository,
    repositoryUrl: `${server.url}/${basename(repository.folder)}`,
    controlNamespace,
    namespace,
    close: () => opened.disposeAsync(),
  };
}
